//! `sequence` and `select` with `keep_place`: entered again after an abort, they continue at the child
//! that was running.

use super::memory::{self, Place};
use super::{Behaviour, Nothing};
use crate::run::node_ref::At;
use crate::run::waits::Wait;
use crate::run::walk::{Act, Step, Walker};
use crate::tree::plan::NONE;

#[derive(Debug)]
pub(crate) struct KeepPlace {
    /// The result of a child after which the next one is entered: success for a sequence.
    pub(crate) on: bool,
}

impl Behaviour for KeepPlace {
    type State = Nothing;
    type Retained = Place;

    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        memory::enter::<Self>(self.on, walk, node)
    }

    fn child_done(&self, walk: &mut Walker<'_>, node: u32, child: u32, success: bool) -> Step {
        match walk.plan.next_child(node, child) {
            Some(next) if success == self.on => Step::Enter(next),
            _ => {
                walk.core.forget(node);
                Step::Done(success)
            }
        }
    }
    fn aborted(&self, walk: &mut Walker<'_>, at: At, child: u32) {
        if child != NONE {
            walk.core.retain::<Self>(at.node, Place(child));
        }
    }

    fn begins_later(&self) -> bool {
        true
    }

    fn child_may_wait(&self, wait: Wait) -> bool {
        wait == Wait::Parked(Act::TakeOver)
    }
}

//! `memory_sequence` and `memory_select`: they keep their place over their own failure (success).

use serde::{Deserialize, Serialize};

use super::{Behaviour, Nothing, Remember, Slot, Translate};
use crate::run::node_ref::At;
use crate::run::waits::Wait;
use crate::run::walk::{Act, Step, Walker};

#[derive(Debug)]
pub(crate) struct Memory {
    /// What makes it go on: success for a sequence.
    pub(crate) on: bool,
}

/// The child at which it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Place(pub(super) u32);

impl Remember for Place {
    fn translate(&mut self, to: &mut dyn Translate) -> Result<(), String> {
        to.child(&mut self.0)
    }
}

impl Behaviour for Memory {
    type State = Nothing;
    type Retained = Place;

    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        enter::<Self>(self.on, walk, node)
    }

    fn child_done(&self, walk: &mut Walker<'_>, node: u32, child: u32, success: bool) -> Step {
        if success != self.on {
            walk.core.retain::<Self>(node, Place(child));
            return Step::Done(success);
        }
        match walk.plan.next_child(node, child) {
            Some(next) => Step::Enter(next),
            None => {
                walk.core.forget(node);
                Step::Done(success)
            }
        }
    }

    fn aborted(&self, walk: &mut Walker<'_>, at: At, _: u32) {
        walk.core.forget(at.node);
    }

    fn begins_later(&self) -> bool {
        true
    }

    fn child_may_wait(&self, wait: Wait) -> bool {
        wait == Wait::Parked(Act::TakeOver)
    }
}

/// Enters the child that a node has kept, or else its first one.
pub(super) fn enter<K: Slot<Retained = Place>>(on: bool, walk: &mut Walker<'_>, node: u32) -> Step {
    if walk.plan.children(node).next().is_none() {
        return Step::Done(on);
    }
    let first = match walk.core.retained::<K>(node) {
        Some(Place(child)) => child,
        None => node + 1,
    };
    if !on {
        // Those it passes over may take over later.
        let mut passed = node + 1;
        while passed < first {
            walk.watch_unevaluated(passed);
            passed = walk.plan.node(passed).end;
        }
    }
    Step::Enter(first)
}

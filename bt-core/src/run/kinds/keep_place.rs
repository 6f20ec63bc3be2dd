//! `sequence` and `select` with `keep_place`: entered again after an abort, they continue at the child
//! that was running, which is kept where nodes are aborted.

use super::{Behaviour, memory};
use crate::run::walk::{Step, Walker};

#[derive(Debug)]
pub(crate) struct KeepPlace {
    /// The result of a child after which the next one is entered: success for a sequence.
    pub(crate) on: bool,
}

impl Behaviour for KeepPlace {
    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        memory::enter(self.on, walk, node)
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
}

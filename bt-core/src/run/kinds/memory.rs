//! `memory_sequence` and `memory_select`: they keep their place over their own failure (success).

use super::Behaviour;
use crate::run::at::At;
use crate::run::walk::{Step, Walker};

#[derive(Debug)]
pub(crate) struct Memory {
    /// What makes it go on: success for a sequence.
    pub(crate) on: bool,
}

impl Behaviour for Memory {
    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        enter(self.on, walk, node)
    }

    fn child_done(&self, walk: &mut Walker<'_>, node: u32, child: u32, success: bool) -> Step {
        if success != self.on {
            if walk.core.kept(node) != Some(child.into()) {
                walk.core.keep(node, child.into());
            }
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

    fn aborted(&self, walk: &mut Walker<'_>, at: At) {
        walk.core.forget(at.node);
    }
}

/// Enters the child that a node has kept, or else its first one.
pub(super) fn enter(on: bool, walk: &mut Walker<'_>, node: u32) -> Step {
    if walk.plan.children(node).next().is_none() {
        return Step::Done(on);
    }
    let first = match walk.core.kept(node) {
        Some(child) => child as u32,
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

//! `decorator`: the host's own. It is asked on entry, and at each end of its child.

use super::Behaviour;
use crate::call::Outcome;
use crate::run::walk::{Step, Walker};
use crate::trace::Role;

#[derive(Debug)]
pub(crate) struct Decorator {
    pub(crate) call: u32,
}

impl Behaviour for Decorator {
    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        match self.ask(walk, node, None) {
            Some(Outcome::Run) => walk.first_iteration(node),
            called => Step::Done(walk.settle_call(node, self.call, called)),
        }
    }

    fn child_done(&self, walk: &mut Walker<'_>, node: u32, _: u32, success: bool) -> Step {
        match self.ask(walk, node, Some(success)) {
            Some(Outcome::Run) => walk.next_iteration(node, false),
            called => {
                let success = walk.settle_call(node, self.call, called);
                walk.last_iteration(node, success)
            }
        }
    }

    fn turn(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        walk.begin_iteration(node)
    }
}

impl Decorator {
    fn ask(&self, walk: &mut Walker<'_>, node: u32, ended: Option<bool>) -> Option<Outcome> {
        walk.core.session.set_ended(ended);
        let called = walk.call_as(node, self.call, Role::Decorator);
        walk.core.session.set_ended(None);
        if called == Some(Outcome::Run) {
            walk.absorb_all(node);
        }
        called
    }
}

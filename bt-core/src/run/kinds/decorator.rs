//! `decorator`: the host's own. It is asked on entry, and at each end of its child.

use super::loops::Count;
use super::{Behaviour, Nothing};
use crate::call::Outcome;
use crate::run::waits::Wait;
use crate::run::walk::{Step, Walker};
use crate::trace::Role;

#[derive(Debug)]
pub(crate) struct Decorator {
    pub(crate) call: u32,
}

impl Behaviour for Decorator {
    type State = Count;
    type Retained = Nothing;

    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        match self.ask(walk, node, None) {
            Some(Outcome::Run) => walk.first_iteration::<Self>(node),
            called => Step::Done(walk.settle_call(node, self.call, called)),
        }
    }

    fn child_done(&self, walk: &mut Walker<'_>, node: u32, _: u32, success: bool) -> Step {
        match self.ask(walk, node, Some(success)) {
            Some(Outcome::Run) => walk.next_iteration::<Self>(node, false),
            called => {
                let success = walk.settle_call(node, self.call, called);
                walk.last_iteration(node, success)
            }
        }
    }

    fn turn(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        walk.begin_iteration::<Self>(node)
    }

    fn call(&self) -> Option<u32> {
        Some(self.call)
    }

    fn may_wait(&self, wait: Wait) -> bool {
        wait == Wait::Again
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

//! `action` and `condition`, where the walk does not call them by itself.

use super::{Behaviour, Nothing};
use crate::run::waits::Wait;
use crate::run::walk::{Step, Walker};
use crate::trace::Role;

/// By the number of its call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Action(pub(crate) u32);

/// By the number of its call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Condition(pub(crate) u32);

impl Behaviour for Action {
    type State = Nothing;
    type Retained = Nothing;

    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        let called = walk.call_as(node, self.0, Role::Action);
        walk.called(node, self.0, called)
    }

    fn call(&self) -> Option<u32> {
        Some(self.0)
    }

    fn action(&self) -> Option<u32> {
        Some(self.0)
    }

    fn may_wait(&self, wait: Wait) -> bool {
        matches!(wait, Wait::Pending | Wait::Polled | Wait::Cancelling)
    }
}

impl Behaviour for Condition {
    type State = Nothing;
    type Retained = Nothing;

    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        let called = walk.call_as(node, self.0, Role::Condition);
        walk.called(node, self.0, called)
    }

    fn call(&self) -> Option<u32> {
        Some(self.0)
    }

    fn may_wait(&self, wait: Wait) -> bool {
        matches!(wait, Wait::Pending | Wait::Polled)
    }
}

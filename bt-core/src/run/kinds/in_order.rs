//! `and`, `or`; `sequence` and `select`, and the decorators that only change a result, where the walk does
//! not go through them by itself.

use super::{Behaviour, Nothing};
use crate::run::waits::Wait;
use crate::run::walk::{Act, Step, Walker};

/// `root`, `negative`, `always_true`, `always_false`: the walk knows what becomes of a result.
pub(super) struct Plain;

impl Behaviour for Plain {
    type State = Nothing;
    type Retained = Nothing;

    fn enter(&self, _: &mut Walker<'_>, node: u32) -> Step {
        Step::Enter(node + 1)
    }
}

/// `sequence` and `select`, `and` and `or`: children in order, cut short by a result.
#[derive(Debug)]
pub(crate) struct InOrder {
    /// What makes it continue: success for a sequence.
    pub(crate) on: bool,
}

impl Behaviour for InOrder {
    type State = Nothing;
    type Retained = Nothing;

    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        match walk.plan.children(node).next() {
            Some(first) => Step::Enter(first),
            None => Step::Done(self.on),
        }
    }

    fn child_done(&self, walk: &mut Walker<'_>, node: u32, child: u32, success: bool) -> Step {
        match walk.plan.next_child(node, child) {
            Some(next) if success == self.on => Step::Enter(next),
            _ => Step::Done(success),
        }
    }

    /// A child of a select takes over.
    fn child_may_wait(&self, wait: Wait) -> bool {
        !self.on && wait == Wait::Parked(Act::TakeOver)
    }
}

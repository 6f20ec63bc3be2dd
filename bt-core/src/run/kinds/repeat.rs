//! `repeat` and `retry`: a number of times, until the child fails (succeeds).

use super::loops::Count;
use super::{Behaviour, Nothing};
use crate::run::waits::Wait;
use crate::run::walk::{Step, Walker};

#[derive(Debug)]
pub(crate) struct Repeat {
    /// Below zero: for ever.
    pub(crate) count: i64,
    /// What ends it: failure for `repeat`, success for `retry`.
    pub(crate) until: bool,
}

impl Behaviour for Repeat {
    type State = Count;
    type Retained = Nothing;

    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        if self.count == 0 {
            return Step::Done(!self.until);
        }
        walk.first_iteration::<Self>(node)
    }

    fn child_done(&self, walk: &mut Walker<'_>, node: u32, _: u32, success: bool) -> Step {
        if success == self.until {
            return walk.last_iteration(node, success);
        }
        let done = walk.iterated::<Self>(node);
        if self.count >= 0 && i64::from(done) >= self.count {
            return walk.last_iteration(node, success);
        }
        walk.next_iteration::<Self>(node, self.count >= 0)
    }

    fn turn(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        walk.begin_iteration::<Self>(node)
    }
    fn may_wait(&self, wait: Wait) -> bool {
        wait == Wait::Again
    }
}

//! `repeat` and `retry`: a number of times, until the child fails (succeeds).

use super::Behaviour;
use crate::run::walk::{Step, Walker};

#[derive(Debug)]
pub(crate) struct Repeat {
    /// Below zero: for ever.
    pub(crate) count: i64,
    /// What ends it: failure for `repeat`, success for `retry`.
    pub(crate) until: bool,
}

impl Behaviour for Repeat {
    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        if self.count == 0 {
            return Step::Done(!self.until);
        }
        walk.first_iteration(node)
    }

    fn child_done(&self, walk: &mut Walker<'_>, node: u32, _: u32, success: bool) -> Step {
        if success == self.until {
            return walk.last_iteration(node, success);
        }
        let done = walk.iterated(node);
        if self.count >= 0 && i64::from(done) >= self.count {
            return walk.last_iteration(node, success);
        }
        walk.next_iteration(node, self.count >= 0)
    }

    fn turn(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        walk.begin_iteration(node)
    }
}

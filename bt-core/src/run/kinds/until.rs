//! `until_success` and `until_failure`: the child again, until it ends so.

use super::loops::Count;
use super::{Behaviour, Nothing};
use crate::run::waits::Wait;
use crate::run::walk::{Step, Walker};

#[derive(Debug)]
pub(crate) struct Until {
    /// How often at most; below zero: without a limit.
    pub(crate) count: i64,
    pub(crate) result: bool,
}

impl Behaviour for Until {
    type State = Count;
    type Retained = Nothing;

    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        if self.count == 0 {
            return Step::Done(false);
        }
        walk.first_iteration::<Self>(node)
    }

    fn child_done(&self, walk: &mut Walker<'_>, node: u32, _: u32, success: bool) -> Step {
        if success == self.result {
            return walk.last_iteration(node, true);
        }
        let done = walk.iterated::<Self>(node);
        if self.count >= 0 && i64::from(done) >= self.count {
            return walk.last_iteration(node, false);
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

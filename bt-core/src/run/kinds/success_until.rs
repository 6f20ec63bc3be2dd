//! `success_until` and `failure_until`: one result for a number of ends of the child, then the other.

use super::Behaviour;
use crate::run::walk::{Step, Walker};

#[derive(Debug)]
pub(crate) struct SuccessUntil {
    /// Below zero: for ever.
    pub(crate) count: i64,
    /// The result before.
    pub(crate) before: bool,
}

impl Behaviour for SuccessUntil {
    fn enter(&self, _: &mut Walker<'_>, node: u32) -> Step {
        Step::Enter(node + 1)
    }

    fn child_done(&self, walk: &mut Walker<'_>, node: u32, _: u32, _: bool) -> Step {
        if self.count < 0 {
            return Step::Done(self.before);
        }
        let ends = walk.core.kept(node).unwrap_or(0).saturating_add(1);
        walk.core.keep(node, ends);
        let over = ends >= self.count.unsigned_abs();
        Step::Done(self.before != over)
    }
}

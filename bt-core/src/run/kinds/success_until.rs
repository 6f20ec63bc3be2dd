//! `success_until` and `failure_until`: one result for a number of ends of the child, then the other.

use super::remember::Long;
use super::{Behaviour, Nothing};
use crate::run::walk::{Step, Walker};

#[derive(Debug)]
pub(crate) struct SuccessUntil {
    /// Below zero: for ever.
    pub(crate) count: i64,
    /// The result before.
    pub(crate) before: bool,
}

impl Behaviour for SuccessUntil {
    type State = Nothing;
    type Retained = Long;

    fn enter(&self, _: &mut Walker<'_>, node: u32) -> Step {
        Step::Enter(node + 1)
    }

    fn child_done(&self, walk: &mut Walker<'_>, node: u32, _: u32, _: bool) -> Step {
        if self.count < 0 {
            return Step::Done(self.before);
        }
        let ends = walk.core.retained::<Self>(node).unwrap_or_default();
        let ends = u64::from(ends).saturating_add(1);
        walk.core.retain::<Self>(node, ends.into());
        let over = ends >= self.count.unsigned_abs();
        Step::Done(self.before != over)
    }
}

//! `random_seq` and `random_select`: a sequence or a select in a fresh order each time.

use super::Behaviour;
use crate::run::state::Data;
use crate::run::walk::{Step, Walker};

#[derive(Debug)]
pub(crate) struct RandomOrder {
    /// What makes it go on: success for a sequence.
    pub(crate) on: bool,
}

impl Behaviour for RandomOrder {
    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        let mut order = walk.core.spare_order();
        order.extend(walk.plan.children(node));
        walk.core.session.random().shuffle(&mut order);
        let Some(first) = order.first().copied() else {
            return Step::Done(self.on);
        };
        let at = walk.core.here(node);
        walk.core.set_state(at, Data::Order { order, done: 0 });
        Step::Enter(first)
    }

    fn child_done(&self, walk: &mut Walker<'_>, node: u32, _: u32, success: bool) -> Step {
        let at = walk.core.here(node);
        if success == self.on
            && let Some(Data::Order { order, done }) = walk.core.state(at)
        {
            *done += 1;
            if let Some(next) = order.get(*done as usize) {
                return Step::Enter(*next);
            }
        }
        walk.core.clear_state(at);
        Step::Done(success)
    }
}

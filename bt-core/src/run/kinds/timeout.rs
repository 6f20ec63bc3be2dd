//! `timeout`: failure as soon as its time is up.

use super::Behaviour;
use crate::run::leave::Then;
use crate::run::state::Data;
use crate::run::timers::Purpose;
use crate::run::walk::{Act, Step, Walker};

#[derive(Debug)]
pub(crate) struct Timeout {
    /// In nanoseconds.
    pub(crate) nanos: u64,
}

impl Behaviour for Timeout {
    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        let at = walk.core.here(node);
        let order = walk.core.next_order();
        walk.core.set_state(at, Data::Since { order });
        let time = walk.core.now().saturating_add(self.nanos);
        walk.core.set_timer(time, at, Purpose::Node);
        Step::Enter(node + 1)
    }

    fn child_done(&self, walk: &mut Walker<'_>, node: u32, _: u32, success: bool) -> Step {
        let at = walk.core.here(node);
        walk.core.clear_state(at);
        walk.core.clear_timers(at);
        Step::Done(success)
    }

    fn timer(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        let at = walk.core.here(node);
        let Some(entered) = walk.core.since(at) else {
            return Step::Blocked;
        };
        // A polled child runs once more, and wins if it ends.
        walk.run_polled(at);
        if walk.core.since(at) != Some(entered) {
            return Step::Blocked;
        }
        walk.core.clear_state(at);
        walk.abort(at, at, false, Then::Go(at, Act::Done(false)))
    }
}

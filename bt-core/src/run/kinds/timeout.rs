//! `timeout`: failure as soon as its time is up.

use serde::{Deserialize, Serialize};

use super::{Behaviour, Ends, Nothing, Remember, Timed, Translate};
use crate::run::abort::Then;
use crate::run::core::Core;
use crate::run::node_ref::At;
use crate::run::state::timers::Purpose;
use crate::run::waits::Order;
use crate::run::walk::{Act, Step, Walker};

#[derive(Debug)]
pub(crate) struct Timeout {
    /// In nanoseconds.
    pub(crate) nanos: u64,
}

/// The number of its activation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Since(Order);

impl Remember for Since {
    const FORM: &'static str = "since";

    fn translate(&mut self, to: &mut dyn Translate) -> Result<(), String> {
        to.order(&mut self.0)
    }
}

impl Behaviour for Timeout {
    type State = Since;
    type Retained = Nothing;

    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        let at = walk.core.here(node);
        let order = walk.core.next_order();
        walk.core.set_state::<Self>(at, Since(order));
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
        let Some(entered) = walk.core.state::<Self>(at).copied() else {
            return Step::Blocked;
        };
        // A polled child runs once more, and wins if it ends.
        walk.run_polled(at);
        if walk.core.state::<Self>(at) != Some(&entered) {
            return Step::Blocked;
        }
        walk.core.clear_state(at);
        walk.abort(at, at, false, Then::Go(at, Act::Done(false)))
    }
    fn ends_below(&self, core: &Core, at: At) -> Option<Ends> {
        core.timers.own_time(at).map(Ends::Time)
    }

    fn timed(&self) -> Timed {
        Timed::Remembering
    }
}

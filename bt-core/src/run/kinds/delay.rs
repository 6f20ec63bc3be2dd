//! `delay`: the child, after a time.

use super::{Behaviour, Nothing, Timed};
use crate::run::state::timers::Purpose;
use crate::run::waits::Wait;
use crate::run::walk::{Step, Walker};

#[derive(Debug)]
pub(crate) struct Delay {
    /// In nanoseconds.
    pub(crate) nanos: u64,
}

impl Behaviour for Delay {
    type State = Nothing;
    type Retained = Nothing;

    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        if self.nanos == 0 {
            return Step::Enter(node + 1);
        }
        let at = walk.core.here(node);
        walk.core.wait(at, Wait::Timer);
        let time = walk.core.now().saturating_add(self.nanos);
        walk.core.set_timer(time, at, Purpose::Node);
        Step::Blocked
    }

    fn timer(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        let at = walk.core.here(node);
        walk.core.drop_entry(at);
        Step::Enter(node + 1)
    }
    fn may_wait(&self, wait: Wait) -> bool {
        wait == Wait::Timer
    }

    fn timed(&self) -> Timed {
        Timed::Waiting
    }
}

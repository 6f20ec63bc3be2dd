//! `wait_event`: until an event arrives.

use super::{Behaviour, Nothing};
use crate::Event;
use crate::blackboard::KeyId;
use crate::run::node_ref::At;
use crate::run::waits::Wait;
use crate::run::walk::{Step, Walker};

#[derive(Debug)]
pub(crate) struct WaitEvent {
    /// The event's number in the set.
    pub(crate) event: u32,
    /// It leaves the event to other waiters, too.
    pub(crate) broadcast: bool,
    /// It takes an event that came before.
    pub(crate) latch: bool,
    /// Which key takes which parameter.
    pub(crate) params: Box<[(Box<str>, KeyId)]>,
}

impl Behaviour for WaitEvent {
    type State = Nothing;
    type Retained = Nothing;

    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        let at = walk.core.here(node);
        if self.latch
            && let Some(cold) = &mut walk.core.cold
            && let Some(event) = cold.inbox.take_latched(self.event)
        {
            walk.trace_consumed(at, &event, true);
            walk.write_params(at, &self.params, &event);
            return Step::Done(true);
        }
        walk.core.wait(at, Wait::Event);
        Step::Blocked
    }
    fn event(&self, walk: &mut Walker<'_>, at: At, event: &Event) {
        walk.write_params(at, &self.params, event);
    }

    fn awaits(&self, event: u32) -> Option<bool> {
        (self.event == event).then_some(self.broadcast)
    }

    fn may_wait(&self, wait: Wait) -> bool {
        wait == Wait::Event
    }
}

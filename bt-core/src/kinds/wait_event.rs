//! `wait_event`: a wait for an event.

use super::read::fields;
use super::values::{Name, Parameters};
use super::{
    About, Behaviour, Call, Leaf, NodeContext, NodeKind, Nothing, Outcome, Path, PlanContext,
    Planned, Runs, Step, Use, Wait,
};
use crate::blackboard::KeyId;

fields! {
    /// A wait for an event.
    pub struct WaitEvent<'t> {
        /// the event to wait for
        event: Name<'t>,
        /// which key takes which parameter
        params: Parameters<'t> = Parameters::default() => "{}",
        /// leave the event to other waiters too
        broadcast: bool = false => "left to others",
        /// take an event that came before
        latch: bool = false => "even if it came before",
    }
}

impl<'t> NodeKind<'t> for WaitEvent<'t> {
    const ABOUT: About = About::leaf(
        "wait_event",
        "↯",
        "waits until an event arrives",
        Leaf::Event,
    )
    .original(0, 0)
    .elsewhere(&["waitforevent", "waitforsignal", "onevent"], "")
    .behaviac("WaitForSignal");

    fn outcome(&self, _: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::new(true, false, true)
    }

    fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        report(path, Use::Event(self.event, &self.params));
    }

    fn plan(self, cx: &mut dyn PlanContext) -> Planned {
        let Name(event) = self.event;
        let node = WaitEventNode {
            event: cx.event(event, self.latch),
            broadcast: self.broadcast,
            latch: self.latch,
            params: cx.event_params(event, &self.params),
        };
        cx.name(event);
        node.into()
    }
}

#[derive(Debug)]
pub(crate) struct WaitEventNode {
    /// The event's number in the set.
    event: u32,
    /// It leaves the event to other waiters, too.
    broadcast: bool,
    /// It takes an event that came before.
    latch: bool,
    /// The key for each parameter.
    params: Box<[(Box<str>, KeyId)]>,
}

impl Behaviour for WaitEventNode {
    type State = Nothing;
    type Retained = Nothing;

    fn awaits(&self, event: u32) -> Option<bool> {
        (self.event == event).then_some(self.broadcast)
    }

    fn event_params(&self) -> &[(Box<str>, KeyId)] {
        &self.params
    }

    fn may_wait(&self, wait: Wait) -> bool {
        wait == Wait::Event
    }
}

impl<C: NodeContext> Runs<C> for WaitEventNode {
    fn enter(&self, cx: &mut C, node: u32) -> Step {
        if self.latch && cx.take_latched(node, self.event, &self.params) {
            return Step::Done(true);
        }
        cx.wait(node, Wait::Event);
        Step::Blocked
    }
}

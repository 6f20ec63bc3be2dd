//! `delay`: a wait before its child runs.

use super::read::fields;
use super::values::Seconds;
use super::{
    About, Behaviour, Call, Certain, NodeContext, NodeKind, Nothing, Outcome, PlanContext, Planned,
    Runs, Step, Timed, Wait, outcome,
};

fields! {
    /// A wait before its child runs.
    pub struct Delay {
        /// how long to wait
        seconds: Seconds => "{}",
    }
}

impl<'t> NodeKind<'t> for Delay {
    const ABOUT: About =
        About::decorator("delay", "◷", "waits before it runs its child").certain(Certain::First);

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        outcome::child(children).may_wait()
    }

    fn plan(self, _: &mut dyn PlanContext) -> Planned {
        let nanos = self.seconds.nanos();
        DelayNode { nanos }.into()
    }
}

#[derive(Debug)]
pub(crate) struct DelayNode {
    /// In nanoseconds.
    nanos: u64,
}

impl Behaviour for DelayNode {
    type State = Nothing;
    type Retained = Nothing;

    fn nanos(&self) -> Option<u64> {
        Some(self.nanos)
    }

    fn may_wait(&self, wait: Wait) -> bool {
        wait == Wait::Timer
    }

    fn timed(&self) -> Timed {
        Timed::Waiting
    }
}

impl<C: NodeContext> Runs<C> for DelayNode {
    fn enter(&self, cx: &mut C, node: u32) -> Step {
        if self.nanos == 0 {
            return Step::Enter(cx.child(node));
        }
        cx.wait(node, Wait::Timer);
        cx.set_timer(node, self.nanos);
        Step::Blocked
    }

    fn timer(&self, cx: &mut C, node: u32) -> Step {
        cx.stop_waiting(node);
        Step::Enter(cx.child(node))
    }
}

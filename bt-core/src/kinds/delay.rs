//! `delay`: a wait before its child runs.

use super::number::{Amount, Number, ONE, When};
use super::read::fields;
use super::values::Seconds;
use super::{
    About, Behaviour, Call, Certain, Long, NodeContext, NodeKind, Nothing, Outcome, Path,
    PlanContext, Planned, Runs, Step, Timed, Use, Wait, outcome,
};

fields! {
    /// A wait before its child runs.
    pub struct Delay<'t> {
        /// how long to wait
        seconds: Number<'t, Seconds> => "{}",
    }
}

impl<'t> NodeKind<'t> for Delay<'t> {
    const ABOUT: About =
        About::decorator("delay", "◷", "waits before it runs its child").certain(Certain::First);

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        self.seconds.may_fail(outcome::child(children).may_wait())
    }

    fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        self.seconds.uses("seconds", &path.key("seconds"), report);
    }

    fn plan(self, cx: &mut dyn PlanContext) -> Planned {
        let nanos = self.seconds.plan(cx, "seconds", When::Entered);
        DelayNode { nanos }.into()
    }
}

#[derive(Debug)]
pub(crate) struct DelayNode {
    /// In nanoseconds.
    nanos: Amount<Long>,
}

impl Behaviour for DelayNode {
    type State = Nothing;
    type Retained = Nothing;

    fn nanos(&self) -> Option<Amount<Long>> {
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
        match self.nanos.kept(cx, node, ONE) {
            None => Step::Done(false),
            Some(0) => Step::Enter(cx.child(node)),
            Some(nanos) => {
                cx.wait(node, Wait::Timer);
                cx.set_timer(node, nanos);
                Step::Blocked
            }
        }
    }

    fn timer(&self, cx: &mut C, node: u32) -> Step {
        cx.stop_waiting(node);
        Step::Enter(cx.child(node))
    }
}

//! `timeout`: failure when its child has not ended in time.

use serde::{Deserialize, Serialize};

use super::number::{Amount, Number, ONE, When};
use super::read::fields;
use super::values::PositiveSeconds;
use super::{
    About, Behaviour, Call, Certain, Ends, Long, NodeContext, NodeKind, Nothing, Order, Outcome,
    Path, PlanContext, Planned, Remember, Runs, Step, Timed, Translate, Use, outcome,
};

fields! {
    /// Failure when its child has not ended in time.
    pub struct Timeout<'t> {
        /// the time allowed
        seconds: Number<'t, PositiveSeconds> => "{}",
    }
}

impl<'t> NodeKind<'t> for Timeout<'t> {
    const ABOUT: About =
        About::decorator("timeout", "◷", "fails when its child has not ended in time")
            .elsewhere(&["deadline", "timelimit", "maxtime"], " with `seconds`")
            .certain(Certain::First);

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        outcome::child(children).may_fail()
    }

    fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        self.seconds.uses("seconds", &path.key("seconds"), report);
    }

    fn plan(self, cx: &mut dyn PlanContext) -> Planned {
        let nanos = self.seconds.plan(cx, "seconds", When::Entered);
        TimeoutNode { nanos }.into()
    }
}

#[derive(Debug)]
pub(crate) struct TimeoutNode {
    /// In nanoseconds.
    nanos: Amount<Long>,
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

impl Behaviour for TimeoutNode {
    type State = Since;
    type Retained = Nothing;

    fn nanos(&self) -> Option<Amount<Long>> {
        Some(self.nanos)
    }

    fn ends_below(&self, _: Option<&Since>) -> Option<Ends> {
        Some(Ends::Timer)
    }

    fn timed(&self) -> Timed {
        Timed::Remembering
    }
}

impl<C: NodeContext> Runs<C> for TimeoutNode {
    fn enter(&self, cx: &mut C, node: u32) -> Step {
        match self.begin(cx, node) {
            Some(()) => Step::Enter(cx.child(node)),
            None => {
                cx.clear_state(node);
                Step::Done(false)
            }
        }
    }

    fn child_done(&self, cx: &mut C, node: u32, _: u32, success: bool) -> Step {
        cx.clear_state(node);
        cx.clear_timers(node);
        Step::Done(success)
    }

    fn timer(&self, cx: &mut C, node: u32) -> Step {
        let Some(entered) = cx.state::<Self>(node).copied() else {
            return Step::Blocked;
        };
        // A polled child runs once more, and wins if it ends.
        if !cx.run_polled(node) {
            // It rings again.
            return Step::Blocked;
        }
        if cx.state::<Self>(node) != Some(&entered) {
            return Step::Blocked;
        }
        cx.clear_state(node);
        cx.abort_below(node, false)
    }

    fn adopt(&self, cx: &mut C, node: u32, _: u32) {
        self.begin(cx, node);
    }
}

impl TimeoutNode {
    /// Its time begins.
    fn begin(&self, cx: &mut impl NodeContext, node: u32) -> Option<()> {
        let order = cx.next_order();
        cx.set_state::<Self>(node, Since(order));
        let nanos = self.nanos.kept(cx, node, ONE)?;
        cx.set_timer(node, nanos);
        Some(())
    }
}

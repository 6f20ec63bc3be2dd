//! `run_limit`: failure once its child has run a number of times.

use super::attached::Guard;
use super::number::{Amount, Number, ONE, When};
use super::read::{choices, fields};
use super::values::AtLeast;
use super::{
    About, Ask, Behaviour, Call, Caller, Long, NodeContext, NodeKind, Nothing, Outcome, Path,
    PlanContext, Planned, RefusedBy, Runs, Step, Use, outcome,
};

choices! {
    /// The ends that count.
    pub enum RunLimitOn {
        /// Both.
        All = "all",
        /// Success.
        Success = "success",
        /// Failure.
        Failure = "failure",
    }
}

fields! {
    /// Failure once its child has run a number of times.
    pub struct RunLimit<'t> {
        /// how many
        count: Number<'t, AtLeast<0>> => "× {}",
        /// which ends count
        on: RunLimitOn = RunLimitOn::All => "on {}",
        /// starts the count afresh when it holds on entry
        reset_if: Option<Guard<'t>> = None,
    }
}

impl<'t> NodeKind<'t> for RunLimit<'t> {
    const ABOUT: About = About::decorator(
        "run_limit",
        "#",
        "fails once its child has run a number of times",
    )
    .elsewhere(&["limiter", "limit", "countlimit"], " with a `count`")
    .behaviac("DecoratorCountLimit");
    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        outcome::child(children).may_fail()
    }

    fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        self.count.uses("count", &path.key("count"), report);
        if let Some(guard) = &self.reset_if {
            guard.uses(&path.key("reset_if"), Caller::ResetIf, report);
        }
    }

    fn plan(self, cx: &mut dyn PlanContext) -> Planned {
        let reset_if = self.reset_if.as_ref();
        let node = RunLimitNode {
            count: self.count.plan(cx, "count", When::Needed),
            on: match self.on {
                RunLimitOn::All => None,
                RunLimitOn::Success => Some(true),
                RunLimitOn::Failure => Some(false),
            },
            reset_if: reset_if.map(|guard| cx.ask(guard, Caller::ResetIf, "reset_if")),
        };
        node.into()
    }
}

#[derive(Debug)]
pub(crate) struct RunLimitNode {
    count: Amount<Long>,
    /// The ends that count; all, if that is none.
    on: Option<bool>,
    /// Starts the count afresh when it holds on entry.
    reset_if: Option<Ask>,
}

impl Behaviour for RunLimitNode {
    type State = Nothing;
    type Retained = Long;

    fn refuses(&self, runs: &Long, _: u64) -> Option<RefusedBy> {
        let (runs, Amount::Known(count)) = (u64::from(*runs), self.count) else {
            return None;
        };
        (runs >= count.into()).then_some(RefusedBy::RunLimit(runs))
    }
}

impl<C: NodeContext> Runs<C> for RunLimitNode {
    fn enter(&self, cx: &mut C, node: u32) -> Step {
        if let Some(ask) = &self.reset_if
            && cx.holds(node, ask)
        {
            cx.forget(node);
        }
        let Some(count) = self.count.now(cx, node, ONE) else {
            return Step::Done(false);
        };
        let runs = cx.retained::<Self>(node).unwrap_or_default();
        if u64::from(runs) >= count {
            return Step::Done(false);
        }
        Step::Enter(cx.child(node))
    }

    fn child_done(&self, cx: &mut C, node: u32, _: u32, success: bool) -> Step {
        if self.on.is_none_or(|on| on == success) {
            let runs = cx.retained::<Self>(node).unwrap_or_default();
            let runs = u64::from(runs).saturating_add(1);
            cx.retain::<Self>(node, runs.into());
        }
        Step::Done(success)
    }
}

//! `success_until` and `failure_until`: one result for a number of runs, then the other.

use super::number::{Amount, Number, ONE, When};
use super::read::fields;
use super::values::Count;
use super::{
    About, Behaviour, Call, Long, NodeContext, NodeKind, Nothing, Outcome, Path, PlanContext,
    Planned, Runs, Step, Use, outcome,
};

fields! {
    /// Success for a number of runs, then failure.
    pub struct SuccessUntil<'t> {
        /// how many; below zero: without limit
        count: Number<'t, Count> => "{}",
    }
}

impl<'t> NodeKind<'t> for SuccessUntil<'t> {
    const ABOUT: About = About::decorator(
        "success_until",
        "⊤<",
        "succeeds for a number of ends of its child, then fails",
    )
    .behaviac("DecoratorSuccessUntil");

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome {
            waits: outcome::child(children).waits,
            ..Outcome::INSTANT
        }
    }

    fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        self.count.uses("count", &path.key("count"), report);
    }

    fn plan(self, cx: &mut dyn PlanContext) -> Planned {
        let count = self.count.plan(cx, "count", When::Needed);
        SuccessUntilNode {
            count,
            before: true,
        }
        .into()
    }
}

fields! {
    /// Failure for a number of runs, then success.
    pub struct FailureUntil<'t> {
        /// how many; below zero: without limit
        count: Number<'t, Count> => "{}",
    }
}

impl<'t> NodeKind<'t> for FailureUntil<'t> {
    const ABOUT: About = About::decorator(
        "failure_until",
        "⊥<",
        "fails for a number of ends of its child, then succeeds",
    )
    .behaviac("DecoratorFailureUntil");

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome {
            waits: outcome::child(children).waits,
            ..Outcome::INSTANT
        }
    }

    fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        self.count.uses("count", &path.key("count"), report);
    }

    fn plan(self, cx: &mut dyn PlanContext) -> Planned {
        let count = self.count.plan(cx, "count", When::Needed);
        SuccessUntilNode {
            count,
            before: false,
        }
        .into()
    }
}

#[derive(Debug)]
pub(crate) struct SuccessUntilNode {
    /// Below zero: for ever.
    count: Amount<Long>,
    /// The result before.
    before: bool,
}

impl Behaviour for SuccessUntilNode {
    type State = Nothing;
    type Retained = Long;
}

impl<C: NodeContext> Runs<C> for SuccessUntilNode {
    fn enter(&self, cx: &mut C, node: u32) -> Step {
        Step::Enter(cx.child(node))
    }

    fn child_done(&self, cx: &mut C, node: u32, _: u32, _: bool) -> Step {
        let Some(count) = self.count.now(cx, node, ONE).map(u64::cast_signed) else {
            return Step::Done(false);
        };
        if count < 0 {
            return Step::Done(self.before);
        }
        let ends = cx.retained::<Self>(node).unwrap_or_default();
        let ends = u64::from(ends).saturating_add(1);
        cx.retain::<Self>(node, ends.into());
        let over = ends >= count.unsigned_abs();
        Step::Done(self.before != over)
    }
}

//! `loop`: one run a poll.

use super::iterations::Iterations;
use super::number::{Amount, Number, When};
use super::read::fields;
use super::values::Count;
use super::{
    About, Behaviour, Call, Long, NodeContext, NodeKind, Nothing, Outcome, Path, PlanContext,
    Planned, Runs, Step, Use, Wait, iterations,
};

fields! {
    /// One run a poll.
    pub struct Loop<'t> {
        /// how many; below zero: without limit
        count: Number<'t, Count> => "{}",
    }
}

impl<'t> NodeKind<'t> for Loop<'t> {
    const ABOUT: About = About::decorator(
        "loop",
        "∞",
        "runs its child once a poll whatever it returns, a number of times",
    )
    .behaviac("DecoratorLoop");

    fn outcome(&self, _: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        match self.count {
            Number::Literal(Count(0)) => Outcome::SUCCESS,
            Number::Literal(Count(1..)) => Outcome::new(true, false, true),
            Number::Literal(Count(..0)) => Outcome::NEVER,
            Number::Read(_) => Outcome::ANY,
        }
    }

    fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        self.count.uses("count", &path.key("count"), report);
    }

    fn plan(self, cx: &mut dyn PlanContext) -> Planned {
        let count = self.count.plan(cx, "count", When::Entered);
        LoopNode { count }.into()
    }
}

#[derive(Debug)]
pub(crate) struct LoopNode {
    /// Below zero: for ever.
    count: Amount<Long>,
}

impl Behaviour for LoopNode {
    type State = Iterations;
    type Retained = Nothing;

    fn may_wait(&self, wait: Wait) -> bool {
        wait == Wait::Again
    }
}

impl<C: NodeContext> Runs<C> for LoopNode {
    fn enter(&self, cx: &mut C, node: u32) -> Step {
        match iterations::limit(self.count, cx, node) {
            None => Step::Done(false),
            Some(0) => Step::Done(true),
            Some(_) => iterations::first::<Self>(cx, node),
        }
    }

    fn child_done(&self, cx: &mut C, node: u32, _: u32, _: bool) -> Step {
        let Some(limit) = iterations::limit(self.count, cx, node) else {
            return iterations::last(cx, node, false);
        };
        let done = iterations::count::<Self>(cx, node);
        if limit >= 0 && i64::from(done) >= limit {
            return iterations::last(cx, node, true);
        }
        cx.wait(node, Wait::Again);
        Step::Blocked
    }

    fn turn(&self, cx: &mut C, node: u32) -> Step {
        iterations::begin::<Self>(cx, node)
    }

    fn adopt(&self, cx: &mut C, node: u32, _: u32) {
        iterations::adopt::<Self>(cx, node);
    }

    fn check_again(&self, cx: &mut C, node: u32) -> Step {
        iterations::end_if_over::<Self>(cx, node, self.count, true)
    }
}

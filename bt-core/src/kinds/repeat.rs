//! `repeat` and `retry`: a number of runs.

use super::iterations::Iterations;
use super::number::{Amount, Number, When};
use super::read::fields;
use super::values::Count;
use super::{
    About, Behaviour, Call, Long, NodeContext, NodeKind, Nothing, Outcome, Path, PlanContext,
    Planned, Runs, Step, Use, Wait, iterations, outcome,
};

fields! {
    /// A number of runs, until one fails.
    pub struct Repeat<'t> {
        /// how many; below zero: without limit
        count: Number<'t, Count> => "{}",
    }
}

impl<'t> NodeKind<'t> for Repeat<'t> {
    const ABOUT: About = About::decorator(
        "repeat",
        "×",
        "runs its child a number of times, until it fails",
    )
    .elsewhere(&["repeater", "repeatn", "times"], " with a `count`")
    .behaviac("DecoratorRepeat");

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        let child = outcome::child(children).inverted();
        let outcome = outcome::until_success(&self.count, child).inverted();
        self.count.may_fail(outcome)
    }

    fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        self.count.uses("count", &path.key("count"), report);
    }

    fn plan(self, cx: &mut dyn PlanContext) -> Planned {
        let count = self.count.plan(cx, "count", When::Entered);
        RepeatNode {
            count,
            until: false,
            ended: false,
            over: true,
        }
        .into()
    }
}

fields! {
    /// A number of runs, until one succeeds.
    pub struct Retry<'t> {
        /// how many; below zero: without limit
        count: Number<'t, Count> => "{}",
    }
}

impl<'t> NodeKind<'t> for Retry<'t> {
    const ABOUT: About = About::decorator(
        "retry",
        "↺",
        "runs its child until it succeeds, a number of attempts in all",
    )
    .elsewhere(
        &["retryuntilsuccessful", "retrier", "attempt"],
        " with a `count`",
    );

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        outcome::until_success(&self.count, outcome::child(children))
    }

    fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        self.count.uses("count", &path.key("count"), report);
    }

    fn plan(self, cx: &mut dyn PlanContext) -> Planned {
        let count = self.count.plan(cx, "count", When::Entered);
        RepeatNode::until_success(count).into()
    }
}

/// Runs its child again, until it ends so or the runs are over.
#[derive(Debug)]
pub(crate) struct RepeatNode {
    /// Below zero: for ever.
    pub(super) count: Amount<Long>,
    /// The result of a run that ends it.
    pub(super) until: bool,
    /// The result of a run that ends it.
    pub(super) ended: bool,
    /// The result after all runs.
    pub(super) over: bool,
}

impl RepeatNode {
    pub(super) fn until_success(count: Amount<Long>) -> RepeatNode {
        RepeatNode {
            count,
            until: true,
            ended: true,
            over: false,
        }
    }
}

impl Behaviour for RepeatNode {
    type State = Iterations;
    type Retained = Nothing;

    fn may_wait(&self, wait: Wait) -> bool {
        wait == Wait::Again
    }
}

impl<C: NodeContext> Runs<C> for RepeatNode {
    fn enter(&self, cx: &mut C, node: u32) -> Step {
        match iterations::limit(self.count, cx, node) {
            None => Step::Done(false),
            Some(0) => Step::Done(self.over),
            Some(_) => iterations::first::<Self>(cx, node),
        }
    }

    fn child_done(&self, cx: &mut C, node: u32, _: u32, success: bool) -> Step {
        if success == self.until {
            return iterations::last(cx, node, self.ended);
        }
        let Some(limit) = iterations::limit(self.count, cx, node) else {
            return iterations::last(cx, node, false);
        };
        let done = iterations::count::<Self>(cx, node);
        if limit >= 0 && i64::from(done) >= limit {
            return iterations::last(cx, node, self.over);
        }
        iterations::next::<Self>(cx, node, limit >= 0)
    }

    fn turn(&self, cx: &mut C, node: u32) -> Step {
        iterations::begin::<Self>(cx, node)
    }

    fn adopt(&self, cx: &mut C, node: u32, _: u32) {
        iterations::adopt::<Self>(cx, node);
    }

    fn check_again(&self, cx: &mut C, node: u32) -> Step {
        iterations::end_if_over::<Self>(cx, node, self.count, self.over)
    }
}

//! `repeat` and `retry`: a number of runs.

use super::iterations::Iterations;
use super::read::fields;
use super::values::Count;
use super::{
    About, Behaviour, Call, NodeContext, NodeKind, Nothing, Outcome, PlanContext, Planned, Runs,
    Step, Wait, iterations, outcome,
};

fields! {
    /// A number of runs, until one fails.
    pub struct Repeat {
        /// how many; below zero: without limit
        count: Count => "{}",
    }
}

impl<'t> NodeKind<'t> for Repeat {
    const ABOUT: About = About::decorator(
        "repeat",
        "×",
        "runs its child a number of times, until it fails",
    )
    .elsewhere(&["repeater", "repeatn", "times"], " with a `count`")
    .behaviac("DecoratorRepeat");

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        let child = outcome::child(children).inverted();
        outcome::until_success(self.count, child).inverted()
    }

    fn plan(self, _: &mut dyn PlanContext) -> Planned {
        let count = self.count.0;
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
    pub struct Retry {
        /// how many; below zero: without limit
        count: Count => "{}",
    }
}

impl<'t> NodeKind<'t> for Retry {
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
        outcome::until_success(self.count, outcome::child(children))
    }

    fn plan(self, _: &mut dyn PlanContext) -> Planned {
        let count = self.count.0;
        RepeatNode::until_success(count).into()
    }
}

/// Runs its child again, until it ends so or the runs are over.
#[derive(Debug)]
pub(crate) struct RepeatNode {
    /// Below zero: for ever.
    pub(super) count: i64,
    /// The result of a run that ends it.
    pub(super) until: bool,
    /// The result of a run that ends it.
    pub(super) ended: bool,
    /// The result after all runs.
    pub(super) over: bool,
}

impl RepeatNode {
    pub(super) fn until_success(count: i64) -> RepeatNode {
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
        if self.count == 0 {
            return Step::Done(self.over);
        }
        iterations::first::<Self>(cx, node)
    }

    fn child_done(&self, cx: &mut C, node: u32, _: u32, success: bool) -> Step {
        if success == self.until {
            return iterations::last(cx, node, self.ended);
        }
        let done = iterations::count::<Self>(cx, node);
        if self.count >= 0 && i64::from(done) >= self.count {
            return iterations::last(cx, node, self.over);
        }
        iterations::next::<Self>(cx, node, self.count >= 0)
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

//! `loop`: one run a poll.

use super::iterations::Iterations;
use super::read::fields;
use super::values::Count;
use super::{
    About, Behaviour, Call, NodeContext, NodeKind, Nothing, Outcome, PlanContext, Planned, Runs,
    Step, Wait, iterations,
};

fields! {
    /// One run a poll.
    pub struct Loop {
        /// how many; below zero: without limit
        count: Count => "{}",
    }
}

impl<'t> NodeKind<'t> for Loop {
    const ABOUT: About = About::decorator(
        "loop",
        "∞",
        "runs its child once a poll whatever it returns, a number of times",
    )
    .behaviac("DecoratorLoop");

    fn outcome(&self, _: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        match self.count.0 {
            0 => Outcome::SUCCESS,
            1.. => Outcome::new(true, false, true),
            _ => Outcome::NEVER,
        }
    }

    fn plan(self, _: &mut dyn PlanContext) -> Planned {
        let count = self.count.0;
        LoopNode { count }.into()
    }
}

#[derive(Debug)]
pub(crate) struct LoopNode {
    /// Below zero: for ever.
    count: i64,
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
        if self.count == 0 {
            return Step::Done(true);
        }
        iterations::first::<Self>(cx, node)
    }

    fn child_done(&self, cx: &mut C, node: u32, _: u32, _: bool) -> Step {
        let done = iterations::count::<Self>(cx, node);
        if self.count >= 0 && i64::from(done) >= self.count {
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

//! `while_loop`: a body again as long as a condition succeeds.

use super::iterations::Iterations;
use super::read::fields;
use super::{
    About, Behaviour, Call, Children, NodeContext, NodeKind, Nothing, Outcome, PlanContext,
    Planned, Runs, Step, Wait, iterations,
};

fields! {
    /// A body again as long as a condition succeeds.
    pub struct WhileLoop {
        /// whether a body that ends at once is run again in the same poll, as often as the condition succeeds
        at_once: bool = false => "at once",
    }
}

impl<'t> NodeKind<'t> for WhileLoop {
    const ABOUT: About = About::composite(
        "while_loop",
        "↻",
        "runs its second child again as long as the first succeeds",
    )
    .children(Children::between(2, 2))
    .original(2, 2)
    .elsewhere(&["while", "whiledo", "whiledoelse"], "")
    .fails_empty();

    fn outcome(&self, _: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::new(true, false, true)
    }

    fn plan(self, _: &mut dyn PlanContext) -> Planned {
        WhileLoopNode {
            at_once: self.at_once,
        }
        .into()
    }
}

#[derive(Debug)]
pub(crate) struct WhileLoopNode {
    at_once: bool,
}

impl Behaviour for WhileLoopNode {
    type State = Iterations;
    type Retained = Nothing;

    fn may_wait(&self, wait: Wait) -> bool {
        wait == Wait::Again
    }

    /// Only while its body runs.
    fn remembers(&self) -> bool {
        false
    }
}

impl<C: NodeContext> Runs<C> for WhileLoopNode {
    fn enter(&self, cx: &mut C, node: u32) -> Step {
        match cx.first_two(node) {
            Some((condition, _)) => Step::Enter(condition),
            None => iterations::last(cx, node, false),
        }
    }

    fn child_done(&self, cx: &mut C, node: u32, child: u32, success: bool) -> Step {
        let poll = cx.poll();
        let Some((condition, body)) = cx.first_two(node) else {
            return iterations::last(cx, node, false);
        };
        if child != condition {
            // None if it was the condition when it was entered, and a reload moved it: in an earlier poll.
            let began = cx.state::<Self>(node).map(|count| count.began);
            if began == Some(poll) && !self.at_once {
                cx.wait(node, Wait::Again);
                return Step::Blocked;
            }
            return Step::Enter(condition);
        }
        if !success {
            return iterations::last(cx, node, true);
        }
        let (done, began) = (0, poll);
        cx.set_state::<Self>(node, Iterations { done, began });
        Step::Enter(body)
    }

    fn turn(&self, cx: &mut C, node: u32) -> Step {
        self.enter(cx, node)
    }

    /// Its body runs, if that is what it was put around.
    fn adopt(&self, cx: &mut C, node: u32, child: u32) {
        if cx.first_child(node) != Some(child) {
            iterations::adopt::<Self>(cx, node);
        }
    }
}

//! `if_else`: a condition and two branches.

use super::read::fields;
use super::{
    About, Behaviour, Call, Children, NodeContext, NodeKind, Nothing, Outcome, PlanContext,
    Planned, Runs, Step,
};

fields! {
    /// A condition, the branch where it succeeds, and perhaps the one where it fails.
    pub struct IfElse {}
}

impl<'t> NodeKind<'t> for IfElse {
    const ABOUT: About = About::composite(
        "if_else",
        "⊢",
        "a condition, the branch where it succeeds, and the one where it fails",
    )
    .children(Children::between(2, 3))
    .original(3, 3)
    .elsewhere(&["if", "ifthenelse", "branch"], "")
    .fails_empty();

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        let [condition, branches @ ..] = children else {
            return Outcome::ANY;
        };
        let mut ends = Outcome::any(branches);
        ends.waits |= condition.waits;
        ends.failure |= branches.len() < 2 && condition.failure;
        ends
    }

    fn plan(self, _: &mut dyn PlanContext) -> Planned {
        IfElseNode.into()
    }
}

#[derive(Debug)]
pub(crate) struct IfElseNode;

impl Behaviour for IfElseNode {
    type State = Nothing;
    type Retained = Nothing;
}

impl<C: NodeContext> Runs<C> for IfElseNode {
    fn enter(&self, cx: &mut C, node: u32) -> Step {
        match cx.first_two(node) {
            Some((condition, _)) => Step::Enter(condition),
            None => Step::Done(false),
        }
    }

    fn child_done(&self, cx: &mut C, node: u32, child: u32, success: bool) -> Step {
        if cx.first_child(node) != Some(child) {
            return Step::Done(success);
        }
        let Some((_, then)) = cx.first_two(node) else {
            return Step::Done(false);
        };
        let branch = match success {
            true => Some(then),
            false => cx.next_child(node, then),
        };
        match branch {
            Some(branch) => Step::Enter(branch),
            None => Step::Done(false),
        }
    }
}

//! `always_seq`: all children, whatever they return.

use super::read::fields;
use super::{
    About, Behaviour, Call, NodeContext, NodeKind, Nothing, Outcome, PlanContext, Planned, Runs,
    Step, outcome,
};

fields! {
    /// All children, whatever they return.
    pub struct AlwaysSeq {}
}

impl<'t> NodeKind<'t> for AlwaysSeq {
    const ABOUT: About = About::composite(
        "always_seq",
        "⇢",
        "runs all its children whatever they return, then succeeds",
    )
    .original(1, 20);

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        match outcome::in_order(children, Outcome::ends) {
            Some((all, last)) => Outcome::new(last.ends(), false, all.waits),
            None => Outcome::SUCCESS,
        }
    }

    fn continues_after(&self, child: Outcome) -> Option<bool> {
        Some(child.ends())
    }

    fn plan(self, _: &mut dyn PlanContext) -> Planned {
        AlwaysSeqNode.into()
    }
}

#[derive(Debug)]
pub(crate) struct AlwaysSeqNode;

impl Behaviour for AlwaysSeqNode {
    type State = Nothing;
    type Retained = Nothing;
}

impl<C: NodeContext> Runs<C> for AlwaysSeqNode {
    fn enter(&self, cx: &mut C, node: u32) -> Step {
        match cx.first_child(node) {
            Some(first) => Step::Enter(first),
            None => Step::Done(true),
        }
    }

    fn child_done(&self, cx: &mut C, node: u32, child: u32, _: bool) -> Step {
        match cx.next_child(node, child) {
            Some(next) => Step::Enter(next),
            None => Step::Done(true),
        }
    }
}

//! `reset`: the tree from its root again.

use super::read::fields;
use super::{
    About, Behaviour, Call, Leaf, NodeContext, NodeKind, Nothing, Outcome, PlanContext, Planned,
    Runs, Step,
};

fields! {
    /// The tree from its root again.
    pub struct Reset {
        /// leave the blackboard as it is
        keep_blackboard: bool = false => "keeps the blackboard",
    }
}

impl<'t> NodeKind<'t> for Reset {
    const ABOUT: About = About::leaf(
        "reset",
        "⟲",
        "aborts everything, clears the blackboard and starts the root again",
        Leaf::Control,
    )
    .original(0, 0)
    .waits_for_aborts();

    fn outcome(&self, _: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::ENDS_ALL
    }

    fn plan(self, _: &mut dyn PlanContext) -> Planned {
        let keep_blackboard = self.keep_blackboard;
        ResetNode { keep_blackboard }.into()
    }
}

#[derive(Debug)]
pub(crate) struct ResetNode {
    keep_blackboard: bool,
}

impl Behaviour for ResetNode {
    type State = Nothing;
    type Retained = Nothing;
}

impl<C: NodeContext> Runs<C> for ResetNode {
    fn enter(&self, cx: &mut C, node: u32) -> Step {
        cx.restart(node, !self.keep_blackboard)
    }
}

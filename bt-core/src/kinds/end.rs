//! `end`: the end of a tree.

use super::read::{choices, fields};
use super::{
    About, Behaviour, Call, Leaf, NodeContext, NodeKind, Nothing, Outcome, PlanContext, Planned,
    Runs, Step,
};

choices! {
    /// The result of a tree that is ended.
    pub enum EndStatus {
        /// It succeeds.
        Success = "success",
        /// It fails.
        Failure = "failure",
    }
}

fields! {
    /// The end of a tree.
    pub struct End {
        /// the result
        status: EndStatus => "{}",
        /// end the agent's current tree, not only this one
        outside: bool = false => "of the agent's tree",
    }
}

impl<'t> NodeKind<'t> for End {
    const ABOUT: About = About::leaf(
        "end",
        "■",
        "ends the tree with a given result",
        Leaf::Control,
    )
    .elsewhere(&["return", "exit", "finish"], " with a `status`")
    .waits_for_aborts();

    fn outcome(&self, _: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::ENDS_ALL
    }

    fn plan(self, _: &mut dyn PlanContext) -> Planned {
        let node = EndNode {
            success: self.status == EndStatus::Success,
            outside: self.outside,
        };
        node.into()
    }
}

#[derive(Debug)]
pub(crate) struct EndNode {
    success: bool,
    /// The agent's current tree, not only the one that it stands in.
    outside: bool,
}

impl Behaviour for EndNode {
    type State = Nothing;
    type Retained = Nothing;
}

impl<C: NodeContext> Runs<C> for EndNode {
    fn enter(&self, cx: &mut C, node: u32) -> Step {
        cx.end_tree(node, self.success, self.outside)
    }
}

//! `condition`: a condition of the agent.

use super::read::fields;
use super::{
    About, Behaviour, Call, Caller, Leaf, Logic, NodeContext, NodeKind, Nothing, Outcome, Path,
    PlanContext, Planned, Runs, Step, Use, Wait,
};

fields! {
    /// A condition of the agent.
    pub struct Condition<'t> {
        /// the condition to evaluate
        action: Call<'t>,
    }
}

impl<'t> NodeKind<'t> for Condition<'t> {
    const ABOUT: About = About::leaf(
        "condition",
        "◆",
        "evaluates a condition of the agent",
        Leaf::Condition,
    )
    .elsewhere(&["predicate", "question", "test"], " with an `action_name`")
    .logic(Logic::Answers);

    fn outcome(&self, _: &[Outcome], called: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        called(&self.action)
    }

    fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        report(path, Use::Call(Caller::Condition, &self.action));
    }

    fn plan(self, cx: &mut dyn PlanContext) -> Planned {
        ConditionNode(cx.call(&self.action, Caller::Condition)).into()
    }
}

/// By the number of its call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ConditionNode(pub(crate) u32);

impl Behaviour for ConditionNode {
    type State = Nothing;
    type Retained = Nothing;

    fn call(&self) -> Option<u32> {
        Some(self.0)
    }

    fn may_wait(&self, wait: Wait) -> bool {
        matches!(wait, Wait::Pending | Wait::Polled)
    }
}

impl<C: NodeContext> Runs<C> for ConditionNode {
    fn enter(&self, cx: &mut C, node: u32) -> Step {
        cx.call(node, self.0, Caller::Condition)
    }
}

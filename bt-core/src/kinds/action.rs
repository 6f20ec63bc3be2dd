//! `action`: a call of an action.

use super::read::fields;
use super::{
    About, Behaviour, Call, Caller, Leaf, Logic, NodeContext, NodeKind, Nothing, Outcome, Path,
    PlanContext, Planned, Runs, Step, Use, Wait,
};

fields! {
    /// A call of an action.
    pub struct Action<'t> {
        /// the action to call
        action: Call<'t>,
    }
}

impl<'t> NodeKind<'t> for Action<'t> {
    const ABOUT: About = About::leaf("action", "▸", "calls an action of the agent", Leaf::Action)
        .original(0, 0)
        .elsewhere(
            &["task", "leaf", "call", "method", "function"],
            " with an `action_name`",
        )
        .logic(Logic::Answers);

    fn outcome(&self, _: &[Outcome], called: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        called(&self.action)
    }

    fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        report(path, Use::Call(Caller::Action, &self.action));
    }

    fn plan(self, cx: &mut dyn PlanContext) -> Planned {
        ActionNode(cx.call(&self.action, Caller::Action)).into()
    }
}

/// By the number of its call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ActionNode(pub(crate) u32);

impl Behaviour for ActionNode {
    type State = Nothing;
    type Retained = Nothing;

    fn call(&self) -> Option<u32> {
        Some(self.0)
    }

    fn may_wait(&self, wait: Wait) -> bool {
        matches!(wait, Wait::Pending | Wait::Polled | Wait::Cancelling)
    }
}

impl Planned {
    /// The call that it makes, if that may wait, is called again, and is exited.
    #[inline]
    pub(crate) fn action(&self) -> Option<u32> {
        match self {
            Planned::Action(ActionNode(call)) => Some(*call),
            _ => None,
        }
    }
}

impl<C: NodeContext> Runs<C> for ActionNode {
    fn enter(&self, cx: &mut C, node: u32) -> Step {
        cx.call(node, self.0, Caller::Action)
    }
}

//! `action`: a call of an action.

use super::read::fields;
use super::{About, Call, Caller, Leaf, Logic, NodeKind, Outcome, Path, Use};

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
}

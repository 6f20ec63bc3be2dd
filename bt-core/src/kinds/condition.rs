//! `condition`: a condition of the agent.

use super::read::fields;
use super::{About, Call, Caller, Leaf, Logic, NodeKind, Outcome, Path, Use};

fields! {
    /// A condition of the agent.
    pub struct Condition<'t> {
        /// the condition to ask
        action: Call<'t>,
    }
}

impl<'t> NodeKind<'t> for Condition<'t> {
    const ABOUT: About = About::leaf(
        "condition",
        "◆",
        "asks a condition of the agent",
        Leaf::Condition,
    )
    .elsewhere(
        &["check", "predicate", "question", "test"],
        " with an `action_name`",
    )
    .logic(Logic::Answers);

    fn outcome(&self, _: &[Outcome], called: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        called(&self.action)
    }

    fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        report(path, Use::Call(Caller::Condition, &self.action));
    }
}

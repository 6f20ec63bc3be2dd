//! `check`: an expression.

use super::condition::ConditionNode;
use super::read::fields;
use super::{
    About, Call, Caller, Formula, Leaf, Logic, NodeKind, Outcome, Path, PlanContext, Planned, Use,
};

fields! {
    /// An expression that is true or false.
    pub struct Check<'t> {
        /// the expression to evaluate
        formula as "if": Formula<'t>,
    }
}

impl<'t> NodeKind<'t> for Check<'t> {
    const ABOUT: About = About::leaf(
        "check",
        "?",
        "succeeds if an expression is true, else fails",
        Leaf::Condition,
    )
    .elsewhere(
        &[
            "checkvar",
            "compare",
            "evaluateexpression",
            "expression",
            "script",
            "scriptcondition",
        ],
        " with an `if`",
    )
    .logic(Logic::Answers);

    fn outcome(&self, _: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::INSTANT
    }

    fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        report(
            &path.key("if"),
            Use::Expression(Caller::Condition, self.formula),
        );
    }

    fn plan(self, cx: &mut dyn PlanContext) -> Planned {
        ConditionNode(cx.expression(self.formula, "if")).into()
    }
}

//! `negative`: the other result.

use super::read::fields;
use super::{About, Call, Certain, Logic, NodeKind, Outcome, PlanContext, Planned, outcome};

fields! {
    /// The other result.
    pub struct Negative {}
}

impl<'t> NodeKind<'t> for Negative {
    const ABOUT: About = About::decorator(
        "negative",
        "¬",
        "turns its child's success into failure and failure into success",
    )
    .elsewhere(
        &[
            "inverter",
            "invert",
            "not",
            "negate",
            "negation",
            "decoratornot",
        ],
        ", which turns its child's result round",
    )
    .logic(Logic::Inverts)
    .certain(Certain::First)
    .behaviac("DecoratorNot");

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        outcome::child(children).inverted()
    }

    fn plan(self, _: &mut dyn PlanContext) -> Planned {
        Planned::Negative
    }
}

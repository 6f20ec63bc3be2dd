//! `and` and `or`: conditions, evaluated in order.

use super::read::fields;
use super::sequence::InOrderNode;
use super::{About, Call, Children, Logic, NodeKind, Outcome, PlanContext, Planned};

fields! {
    /// All conditions hold.
    pub struct And {}
}

impl<'t> NodeKind<'t> for And {
    const ABOUT: About = About::composite(
        "and",
        "∧",
        "succeeds when all its conditions hold, evaluated in order",
    )
    .children(Children::SOME)
    .logic(Logic::Asks("sequence"));

    fn outcome(&self, _: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::INSTANT
    }

    fn plan(self, _: &mut dyn PlanContext) -> Planned {
        InOrderNode { on: true }.into()
    }
}

fields! {
    /// One condition holds.
    pub struct Or {}
}

impl<'t> NodeKind<'t> for Or {
    const ABOUT: About = About::composite(
        "or",
        "∨",
        "succeeds when one of its conditions holds, evaluated in order",
    )
    .children(Children::SOME)
    .logic(Logic::Asks("select"))
    .fails_empty();

    fn outcome(&self, _: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::INSTANT
    }

    fn plan(self, _: &mut dyn PlanContext) -> Planned {
        InOrderNode { on: false }.into()
    }
}

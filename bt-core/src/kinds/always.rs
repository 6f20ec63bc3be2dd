//! `always_true` and `always_false`: one result, whatever the child's.

use super::read::fields;
use super::{About, Call, Certain, NodeKind, Outcome, PlanContext, Planned, outcome};

fields! {
    /// Success when its child has ended.
    pub struct AlwaysTrue {}
}

impl<'t> NodeKind<'t> for AlwaysTrue {
    const ABOUT: About = About::decorator("always_true", "⊤", "succeeds when its child has ended")
        .original(1, 1)
        .elsewhere(
            &[
                "succeeder",
                "forcesuccess",
                "alwayssucceed",
                "alwayssuccess",
                "successiserror",
            ],
            "",
        )
        .certain(Certain::First)
        .behaviac("DecoratorAlwaysSuccess");

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::SUCCESS.instead_of(outcome::child(children))
    }

    fn plan(self, _: &mut dyn PlanContext) -> Planned {
        Planned::Always(true)
    }
}

fields! {
    /// Failure when its child has ended.
    pub struct AlwaysFalse {}
}

impl<'t> NodeKind<'t> for AlwaysFalse {
    const ABOUT: About = About::decorator("always_false", "⊥", "fails when its child has ended")
        .elsewhere(
            &["failer", "forcefailure", "alwaysfail", "alwaysfailure"],
            "",
        )
        .certain(Certain::First)
        .behaviac("DecoratorAlwaysFailure");

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::FAILURE.instead_of(outcome::child(children))
    }

    fn plan(self, _: &mut dyn PlanContext) -> Planned {
        Planned::Always(false)
    }
}

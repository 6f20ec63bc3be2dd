//! `always_true` and `always_false`: one result, whatever the child's.

use super::read::fields;
use super::{About, Call, NodeKind, Outcome, outcome};

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
        );

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::SUCCESS.instead_of(outcome::child(children))
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
        );

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::FAILURE.instead_of(outcome::child(children))
    }
}

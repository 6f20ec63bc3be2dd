//! `random_seq` and `random_select`: a fresh random order each time.

use super::read::fields;
use super::{About, Call, NodeKind, Outcome};

fields! {
    /// A sequence in a random order.
    pub struct RandomSeq {}
}

impl<'t> NodeKind<'t> for RandomSeq {
    const ABOUT: About = About::composite(
        "random_seq",
        "→~",
        "a sequence in a fresh random order each time",
    )
    .original(1, 20)
    .elsewhere(&["randomsequence", "shuffle"], "");

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::any(children).may_fail()
    }
}

fields! {
    /// A select in a random order.
    pub struct RandomSelect {}
}

impl<'t> NodeKind<'t> for RandomSelect {
    const ABOUT: About = About::composite(
        "random_select",
        "?~",
        "a select in a fresh random order each time",
    )
    .elsewhere(&["randomselector", "randomfallback"], "");

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::any(children).may_fail()
    }
}

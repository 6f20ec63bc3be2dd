//! `once`: one run, whose result is repeated.

use super::read::fields;
use super::{About, Call, NodeKind, Outcome, outcome};

fields! {
    /// One run, whose result is repeated.
    pub struct Once {}
}

impl<'t> NodeKind<'t> for Once {
    const ABOUT: About = About::decorator(
        "once",
        "1",
        "runs its child to its end once and repeats that result",
    )
    .elsewhere(&["oneshot", "runonce", "onlyonce"], "");

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        outcome::child(children)
    }
}

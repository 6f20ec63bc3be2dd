//! `always_seq`: all children, whatever they return.

use super::read::fields;
use super::{About, Call, NodeKind, Outcome, outcome};

fields! {
    /// All children, whatever they return.
    pub struct AlwaysSeq {}
}

impl<'t> NodeKind<'t> for AlwaysSeq {
    const ABOUT: About = About::composite(
        "always_seq",
        "⇢",
        "runs all its children whatever they return, then succeeds",
    )
    .original(1, 20);

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        match outcome::in_order(children, Outcome::ends) {
            Some((all, last)) => Outcome::new(last.ends(), false, all.waits),
            None => Outcome::SUCCESS,
        }
    }

    fn continues_after(&self, child: Outcome) -> Option<bool> {
        Some(child.ends())
    }
}

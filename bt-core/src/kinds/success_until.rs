//! `success_until` and `failure_until`: one result for a number of runs, then the other.

use super::read::fields;
use super::{About, Call, NodeKind, Outcome, outcome};

fields! {
    /// Success for a number of runs, then failure.
    pub struct SuccessUntil {
        /// how many; below zero: for ever
        count: i64,
    }
}

impl<'t> NodeKind<'t> for SuccessUntil {
    const ABOUT: About = About::decorator(
        "success_until",
        "⊤<",
        "succeeds for a number of ends of its child, then fails",
    );

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome {
            waits: outcome::child(children).waits,
            ..Outcome::INSTANT
        }
    }
}

fields! {
    /// Failure for a number of runs, then success.
    pub struct FailureUntil {
        /// how many; below zero: for ever
        count: i64,
    }
}

impl<'t> NodeKind<'t> for FailureUntil {
    const ABOUT: About = About::decorator(
        "failure_until",
        "⊥<",
        "fails for a number of ends of its child, then succeeds",
    );

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome {
            waits: outcome::child(children).waits,
            ..Outcome::INSTANT
        }
    }
}

//! `timeout`: failure when its child has not ended in time.

use super::read::fields;
use super::values::PositiveSeconds;
use super::{About, Call, NodeKind, Outcome, outcome};

fields! {
    /// Failure when its child has not ended in time.
    pub struct Timeout {
        /// the time allowed
        seconds: PositiveSeconds,
    }
}

impl<'t> NodeKind<'t> for Timeout {
    const ABOUT: About =
        About::decorator("timeout", "◷", "fails when its child has not ended in time")
            .elsewhere(&["deadline", "timelimit", "maxtime"], " with `seconds`");

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        outcome::child(children).may_fail()
    }
}

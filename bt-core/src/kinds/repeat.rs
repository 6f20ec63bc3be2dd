//! `repeat` and `retry`: a number of runs.

use super::read::fields;
use super::{About, Call, NodeKind, Outcome, outcome};

fields! {
    /// A number of runs, until one fails.
    pub struct Repeat {
        /// how many; below zero: for ever
        count: i64,
    }
}

impl<'t> NodeKind<'t> for Repeat {
    const ABOUT: About = About::decorator(
        "repeat",
        "×",
        "runs its child a number of times, until it fails",
    )
    .elsewhere(&["repeater", "repeatn", "times"], " with a `count`");

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        let child = outcome::child(children).inverted();
        outcome::until_success(self.count, child).inverted()
    }
}

fields! {
    /// A number of runs, until one succeeds.
    pub struct Retry {
        /// how many; below zero: for ever
        count: i64,
    }
}

impl<'t> NodeKind<'t> for Retry {
    const ABOUT: About = About::decorator(
        "retry",
        "↺",
        "runs its child until it succeeds, a number of attempts in all",
    )
    .elsewhere(
        &["retryuntilsuccessful", "retrier", "attempt"],
        " with a `count`",
    );

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        outcome::until_success(self.count, outcome::child(children))
    }
}

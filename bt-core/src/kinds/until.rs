//! `until_success` and `until_failure`: runs until one ends so.

use super::read::fields;
use super::{About, Call, NodeKind, Outcome, outcome};

fields! {
    /// Runs until one succeeds.
    pub struct UntilSuccess {
        /// how many; below zero: for ever
        count: i64 = -1,
    }
}

impl<'t> NodeKind<'t> for UntilSuccess {
    const ABOUT: About = About::decorator(
        "until_success",
        "↻⊤",
        "runs its child again until it succeeds",
    )
    .elsewhere(
        &["untilsuccessful", "repeatuntilsuccess", "untilsucceed"],
        "",
    );

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        outcome::until_success(self.count, outcome::child(children))
    }
}

fields! {
    /// Runs until one fails, which is a success.
    pub struct UntilFailure {
        /// how many; below zero: for ever
        count: i64 = -1,
    }
}

impl<'t> NodeKind<'t> for UntilFailure {
    const ABOUT: About = About::decorator(
        "until_failure",
        "↻⊥",
        "runs its child again until it fails, then succeeds",
    )
    .elsewhere(
        &[
            "untilfail",
            "repeatuntilfail",
            "repeatuntilfailure",
            "keeprunninguntilfailure",
            "untilfailed",
        ],
        "",
    );

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        outcome::until_success(self.count, outcome::child(children).inverted())
    }
}

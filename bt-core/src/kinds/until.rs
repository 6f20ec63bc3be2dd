//! `until_success` and `until_failure`: runs until one ends so.

use super::read::fields;
use super::repeat::RepeatNode;
use super::values::Count;
use super::{About, Call, Certain, NodeKind, Outcome, PlanContext, Planned, outcome};

fields! {
    /// Runs until one succeeds.
    pub struct UntilSuccess {
        /// how many; below zero: without limit
        count: Count = Count::FOR_EVER => "{}",
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
    )
    .certain(Certain::First);

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        outcome::until_success(self.count, outcome::child(children))
    }

    fn plan(self, _: &mut dyn PlanContext) -> Planned {
        let count = self.count.0;
        RepeatNode::until_success(count).into()
    }
}

fields! {
    /// Runs until one fails, which is a success.
    pub struct UntilFailure {
        /// how many; below zero: without limit
        count: Count = Count::FOR_EVER => "{}",
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
    )
    .certain(Certain::First);

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        outcome::until_success(self.count, outcome::child(children).inverted())
    }

    fn plan(self, _: &mut dyn PlanContext) -> Planned {
        let count = self.count.0;
        RepeatNode {
            count,
            until: false,
            ended: true,
            over: false,
        }
        .into()
    }
}

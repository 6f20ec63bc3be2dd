//! `until_success` and `until_failure`: runs until one ends so.

use super::number::{Number, When};
use super::read::fields;
use super::repeat::RepeatNode;
use super::values::Count;
use super::{About, Call, Certain, NodeKind, Outcome, Path, PlanContext, Planned, Use, outcome};

fields! {
    /// Runs until one succeeds.
    pub struct UntilSuccess<'t> {
        /// how many; below zero: without limit
        count: Number<'t, Count> = Number::Literal(Count::FOR_EVER) => "{}",
    }
}

impl<'t> NodeKind<'t> for UntilSuccess<'t> {
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
        outcome::until_success(&self.count, outcome::child(children))
    }

    fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        self.count.uses("count", &path.key("count"), report);
    }

    fn plan(self, cx: &mut dyn PlanContext) -> Planned {
        let count = self.count.plan(cx, "count", When::Entered);
        RepeatNode::until_success(count).into()
    }
}

fields! {
    /// Runs until one fails, which is a success.
    pub struct UntilFailure<'t> {
        /// how many; below zero: without limit
        count: Number<'t, Count> = Number::Literal(Count::FOR_EVER) => "{}",
    }
}

impl<'t> NodeKind<'t> for UntilFailure<'t> {
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
        outcome::until_success(&self.count, outcome::child(children).inverted())
    }

    fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        self.count.uses("count", &path.key("count"), report);
    }

    fn plan(self, cx: &mut dyn PlanContext) -> Planned {
        let count = self.count.plan(cx, "count", When::Entered);
        RepeatNode {
            count,
            until: false,
            ended: true,
            over: false,
        }
        .into()
    }
}

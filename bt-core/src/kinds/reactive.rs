//! `reactive_sequence` and `reactive_select`: earlier children run again every poll.

use super::read::fields;
use super::{About, Call, NodeKind, Outcome, outcome};

fields! {
    /// A sequence whose earlier children run again every poll.
    pub struct ReactiveSequence {}
}

impl<'t> NodeKind<'t> for ReactiveSequence {
    const ABOUT: About = About::composite(
        "reactive_sequence",
        "→!",
        "a sequence that asks its earlier children again every poll",
    )
    .elsewhere(&["dynamicsequence", "activesequence"], "");

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        outcome::sequence(children)
    }

    fn continues_after(&self, child: Outcome) -> Option<bool> {
        Some(child.success)
    }
}

fields! {
    /// A select whose earlier children run again every poll.
    pub struct ReactiveSelect {}
}

impl<'t> NodeKind<'t> for ReactiveSelect {
    const ABOUT: About = About::composite(
        "reactive_select",
        "?!",
        "a select that asks its earlier children again every poll",
    )
    .elsewhere(
        &[
            "reactivefallback",
            "reactiveselector",
            "dynamicselector",
            "activeselector",
        ],
        "",
    );

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        outcome::select(children)
    }

    fn continues_after(&self, child: Outcome) -> Option<bool> {
        Some(child.failure)
    }
}

//! `sequence` and `select`: children in order until one decides.

use super::read::fields;
use super::{About, Call, NodeKind, Outcome, outcome};

fields! {
    /// Children in order until one fails.
    pub struct Sequence {
        /// after an abort, continue at the child that was running
        keep_place: bool = false,
    }
}

impl<'t> NodeKind<'t> for Sequence {
    const ABOUT: About = About::composite(
        "sequence",
        "→",
        "runs its children in order until one fails",
    )
    .original(1, 20)
    .elsewhere(
        &["seq", "sequential"],
        ", which runs its children until one fails",
    );

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        outcome::sequence(children)
    }

    fn continues_after(&self, child: Outcome) -> Option<bool> {
        Some(child.success)
    }

    fn symbol(&self) -> &'static str {
        match self.keep_place {
            true => "→=",
            false => Self::ABOUT.symbol,
        }
    }
}

fields! {
    /// Children in order until one succeeds.
    pub struct Select {
        /// after an abort, continue at the child that was running
        keep_place: bool = false,
    }
}

impl<'t> NodeKind<'t> for Select {
    const ABOUT: About = About::composite(
        "select",
        "?",
        "runs its children in order until one succeeds",
    )
    .original(1, 20)
    .elsewhere(
        &["selector", "fallback", "priority", "selection"],
        ", which runs its children until one succeeds",
    )
    .lower_guards();

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        outcome::select(children)
    }

    fn continues_after(&self, child: Outcome) -> Option<bool> {
        Some(child.failure)
    }

    fn symbol(&self) -> &'static str {
        match self.keep_place {
            true => "?=",
            false => Self::ABOUT.symbol,
        }
    }
}

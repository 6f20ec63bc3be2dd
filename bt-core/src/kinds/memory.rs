//! `memory_sequence` and `memory_select`: they continue at the child that decided last time.

use super::read::fields;
use super::{About, Call, NodeKind, Outcome, outcome};

fields! {
    /// A sequence that continues at the child that failed.
    pub struct MemorySequence {}
}

impl<'t> NodeKind<'t> for MemorySequence {
    const ABOUT: About = About::composite(
        "memory_sequence",
        "→*",
        "a sequence that goes on at the child that failed last time",
    )
    .elsewhere(&["memsequence", "sequencewithmemory"], "");

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        outcome::sequence(children)
    }

    fn continues_after(&self, child: Outcome) -> Option<bool> {
        Some(child.success)
    }
}

fields! {
    /// A select that continues at the child that succeeded.
    pub struct MemorySelect {}
}

impl<'t> NodeKind<'t> for MemorySelect {
    const ABOUT: About = About::composite(
        "memory_select",
        "?*",
        "a select that goes on at the child that succeeded last time",
    )
    .elsewhere(
        &[
            "memselector",
            "memoryselector",
            "mempriority",
            "memoryfallback",
        ],
        "",
    )
    .lower_guards();

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        outcome::select(children)
    }

    fn continues_after(&self, child: Outcome) -> Option<bool> {
        Some(child.failure)
    }
}

//! The sentences of the text as tests, chapter by chapter, written by hand before the runner was run.

use bt_core::Status;

mod alike;
mod attached;
mod bounds;
mod cancelling;
mod composites;
mod deadlines;
mod decorators;
mod event_trees;
mod guards;
mod held;
mod keys;
mod leaves;
mod parallel;
mod polling;
mod requests;
mod transparent;

/// The tree's status after a poll, and its log; other operations leave it unchanged.
type Step = (Option<Status>, Vec<String>);

/// The result of each operation.
type Seen = Vec<Step>;

/// The number of random cases: from the environment's variable, if it is set.
fn runs(variable: &str, otherwise: u64) -> u64 {
    let runs = std::env::var(variable).ok();
    runs.and_then(|runs| runs.parse().ok()).unwrap_or(otherwise)
}

//! What each sentence of the text says, chapter by chapter, written by hand before the runner was
//! asked.

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

/// How a poll leaves the tree, and what was logged; other operations leave it as it was.
type Step = (Option<Status>, Vec<String>);

/// What each operation leads to.
type Seen = Vec<Step>;

/// How many random cases to look at: the variable of the environment says, if it is set.
fn runs(variable: &str, otherwise: u64) -> u64 {
    let runs = std::env::var(variable).ok();
    runs.and_then(|runs| runs.parse().ok()).unwrap_or(otherwise)
}

//! The reasons why an agent stands still, compared between its runner and its trace.

use bt_core::explain::{Explanation, Said};

/// Checks that a trace explains the same as the runner, in the same words. The trace does not know of polls
/// that had nothing to do, so that the clock is right again. It also knows of events, and of diagnostics that
/// were taken from the runner.
///
/// # Panics
/// If it does not.
pub fn agree(live: &Explanation, traced: &Explanation) {
    let mut same = live.clone();
    same.poll = traced.poll;
    same.polled_at = traced.polled_at;
    same.went_back = live.went_back.or(traced.went_back);
    same.events.clone_from(&traced.events);
    let known = |said: &Said| traced.diagnostics.contains(said);
    if live.diagnostics.iter().all(known) {
        same.diagnostics.clone_from(&traced.diagnostics);
    }
    assert_eq!(same, *traced, "the runner:\n{live}\nthe trace:\n{traced}");
}

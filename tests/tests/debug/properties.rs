//! Stops in random play.

use bt_tests::cases::{Profile, for_seeds};
use bt_tests::properties::stops;

/// The number of cases that are played, if this does not say it.
const RUNS: u64 = 300;

#[test]
fn an_agent_that_is_stopped_at_every_step_goes_on_as_one_that_is_not() {
    let runs = std::env::var("BT_STOPS").ok();
    let runs = runs.and_then(|runs| runs.parse().ok());
    for_seeds(runs.unwrap_or(RUNS), Profile::All, stops);
}

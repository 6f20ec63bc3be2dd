//! Properties of every random case: see `bt_tests::properties`. `--bin prove` checks more.

use bt_tests::cases::{Profile, for_seeds};
use bt_tests::properties::{disables, replays, restores};

#[test]
fn a_trace_leads_to_what_the_runner_shows_and_is_the_same_for_the_same_seed() {
    for_seeds(1_000, Profile::All, replays);
}

#[test]
fn a_run_that_is_saved_and_restored_after_each_step_has_the_same_trace() {
    for_seeds(1_000, Profile::All, restores);
}

#[test]
fn what_a_debugger_disables_is_as_if_its_file_did() {
    for_seeds(1_000, Profile::All, disables);
}

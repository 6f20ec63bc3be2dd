//! The runner does what the reference does: see `bt_tests::reference`. `--bin prove` looks at more.

use bt_tests::cases::{Profile, for_seeds};
use bt_tests::compare::agree;

#[test]
fn the_runner_and_the_reference_agree_on_random_trees() {
    for_seeds(10_000, Profile::Covered, agree);
}

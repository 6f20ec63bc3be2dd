//! Guards that are never asked again.

use super::*;
use bt_core::tree::asset::spec::{Call, guard, select};

#[test]
fn only_what_certainly_looks_at_nothing_never_aborts() {
    let guarded = |guard: Call| go_to().guard(guard);
    let lucky = || guard("random_chance").arg(0.5);
    let compare = |guard: Call| guard.arg("==").arg(1);
    table(
        Code::IdleGuard,
        [
            (
                guarded(lucky().set("abort", "self")),
                &["t 1 guards/0/abort"],
            ),
            (
                guarded(compare(guard("compare").arg(1)).set("abort", "self")),
                &["t 1 guards/0/abort"],
            ),
            (
                guarded(guard("is_alert").set("abort", "self")).guard(lucky().set("abort", "self")),
                &["t 1 guards/1/abort"],
            ),
            (
                select([guarded(lucky().set("abort", "lower")), go_to()]),
                &["t 2 guards/0/abort"],
            ),
            (
                select([guarded(lucky().set("abort", "both")), go_to()]),
                &["t 2 guards/0/abort"],
            ),
            // Asked on entry, which is all that was meant.
            (guarded(lucky()), &[]),
            (guarded(lucky().set("abort", "none")), &[]),
            // Asked every poll.
            (
                guarded(lucky().set("abort", "self").set("mode", "poll")),
                &[],
            ),
            (guarded(guard("is_alert").set("abort", "self")), &[]),
            (
                guarded(compare(guard("compare").property("post")).set("abort", "self")),
                &[],
            ),
            // Asked when a key changes.
            (
                guarded(compare(guard("compare").key("foes")).set("abort", "self")),
                &[],
            ),
            (
                guarded(guard("has_key").arg("foe").set("abort", "self")),
                &[],
            ),
            (
                guarded(compare(guard("compare_key").arg("foes")).set("abort", "self")),
                &[],
            ),
            (
                guarded(
                    guard("number_larger_than")
                        .arg("foes")
                        .arg(3)
                        .set("abort", "self"),
                ),
                &[],
            ),
            (
                guarded(guard("is_foe").key("foe").set("abort", "self")),
                &[],
            ),
            // They may look at keys through the context.
            (guarded(guard("is_night").set("abort", "self")), &[]),
            // A method that takes no context, no agent and no world reads no key.
            (
                guarded(guard("is_foe").arg(7).set("abort", "self")),
                &["t 1 guards/0/abort"],
            ),
            // It looks at the world.
            (guarded(guard("is_day").set("abort", "self")), &[]),
        ],
    );
}

#[test]
fn a_guard_that_is_not_known_is_another_problem() {
    let guarded = go_to().guard(guard("is_ready").set("abort", "self"));
    assert_eq!(
        places(Code::IdleGuard, &look(&[tree("t", guarded)], &[])),
        [""; 0]
    );
}

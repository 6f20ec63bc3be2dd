//! Nodes that never run.

use serde_json::json;

use super::*;
use bt_core::tree::asset::spec::{
    condition, decorator, guard, select, sequence, sub_tree, wait_event,
};

/// Returns whether what comes after a node in a sequence, and in a select, never runs.
#[track_caller]
fn stops(before: NodeSpec, in_sequence: bool, in_select: bool) {
    let never = |top: NodeSpec| {
        let size = tree("t", top.clone()).nodes().len() - 1;
        let found = told(Code::Unreachable, &[tree("t", top)]);
        // What is inside of the node may be unreachable too: only what comes after it is asked for.
        found.contains(&format!("t {size}"))
    };
    let both =
        |composite: fn([NodeSpec; 2]) -> NodeSpec| never(composite([before.clone(), go_to()]));
    assert_eq!(both(sequence), in_sequence, "in a sequence: {before:?}");
    assert_eq!(both(select), in_select, "in a select: {before:?}");
}

fn no_way(before: NodeSpec) {
    stops(before, false, false);
}

fn always_fails() -> NodeSpec {
    over("always_false", [shout()])
}

#[test]
fn lint_derives_outcomes_of_an_action_from_its_return_type() {
    stops(shout(), false, true);
    stops(action("cry"), false, true);
    no_way(action("dare"));
    no_way(action("risk"));
    no_way(action("guard"));
    no_way(go_to());
    no_way(action("nop"));
    no_way(condition("is_alert"));
    no_way(action("number_add").arg("score").arg(1));
    no_way(action("set_key_value").arg("score").arg(1));
    // A key that is not set is a failure, and so is a property that cannot be read.
    no_way(shout().key("words"));
    no_way(shout().property("post"));
    stops(shout().arg("Who goes there?"), false, true);
    // What an out argument holds before does not matter, and nobody says that it can be written.
    no_way(action("look").key("found"));
}

#[test]
fn a_guard_may_refuse() {
    no_way(shout().guard(guard("is_alert")));
    stops(node("always_running").guard(guard("is_alert")), true, false);
    stops(shout().extra("guards", json!([])), false, true);
}

#[test]
fn leaves_that_never_end_or_end_all_let_nothing_run_after_them() {
    stops(node("always_running"), true, true);
    stops(node("end").extra("status", "success"), true, true);
    stops(node("reset"), true, true);
    stops(wait_event("alarm"), false, true);
    no_way(sub_tree("t"));
}

#[test]
fn decorators_change_the_result_of_their_child() {
    stops(over("negative", [shout()]), true, false);
    stops(over("always_true", [action("dare")]), false, true);
    stops(always_fails(), true, false);
    stops(over("always_true", [node("always_running")]), true, true);
    stops(
        over("timeout", [node("always_running")]).extra("seconds", 5),
        true,
        false,
    );
    no_way(over("timeout", [go_to()]).extra("seconds", 5));
    no_way(over("cooldown", [shout()]).extra("seconds", 5));
    no_way(over("run_limit", [shout()]).extra("count", 5));
    stops(over("delay", [shout()]).extra("seconds", 5), false, true);
    stops(over("once", [shout()]), false, true);
    no_way(over("once", [action("dare")]));
    no_way(over("success_until", [shout()]).extra("count", 2));
    no_way(over("failure_until", [shout()]).extra("count", 2));
    stops(over("frames", [shout()]).extra("count", 2), false, true);
    no_way(decorator("in_peace", shout()));
}

#[test]
fn repetitions_end_as_their_count_and_their_child_let_them() {
    let repeat =
        |kind: &str, count: serde_json::Value, child| over(kind, [child]).extra("count", count);
    for count in [json!(0), json!(0.0)] {
        stops(repeat("repeat", count.clone(), always_fails()), false, true);
        stops(repeat("retry", count.clone(), shout()), true, false);
        stops(repeat("loop", count, shout()), false, true);
    }
    no_way(repeat("repeat", json!(3), action("dare")));
    stops(repeat("repeat", json!(3), always_fails()), true, false);
    stops(repeat("repeat", json!(-1), shout()), true, true);
    stops(repeat("repeat", json!(-1), action("dare")), true, false);
    stops(repeat("retry", json!(-1), action("dare")), false, true);
    no_way(repeat("retry", json!(3), action("dare")));
    stops(repeat("loop", json!(3), always_fails()), false, true);
    stops(repeat("loop", json!(-1), always_fails()), true, true);
}

#[test]
fn until_succeeds_when_its_child_ends_so() {
    let until = |kind: &str, child| over(kind, [child]);
    stops(
        until("until_failure", always_fails()).extra("count", 3),
        false,
        true,
    );
    stops(
        until("until_failure", shout()).extra("count", 3),
        true,
        false,
    );
    stops(
        until("until_success", shout()).extra("count", 3),
        false,
        true,
    );
    stops(
        until("until_success", always_fails()).extra("count", 3),
        true,
        false,
    );
    no_way(until("until_success", action("dare")).extra("count", 3));
    stops(until("until_success", action("dare")), false, true);
    stops(
        until("until_success", action("dare")).extra("count", -1),
        false,
        true,
    );
    stops(until("until_failure", action("dare")), false, true);
    stops(until("until_failure", shout()), true, true);
    stops(
        until("until_success", shout()).extra("count", 0),
        true,
        false,
    );
}

#[test]
fn composites_come_to_what_their_children_leave() {
    stops(sequence([action("dare"), always_fails()]), true, false);
    stops(sequence([shout(), shout()]), false, true);
    no_way(sequence([shout(), action("dare")]));
    stops(select([action("dare"), shout()]), false, true);
    no_way(select([action("dare"), always_fails()]));
    stops(select([always_fails(), always_fails()]), true, false);
    stops(
        over("always_seq", [always_fails(), action("dare")]),
        false,
        true,
    );
    no_way(over("probility", [shout(), shout()]).extra("prob", json!([1, 1])));
    no_way(over("random_seq", [shout(), shout()]));
    no_way(over("parallel", [shout(), shout()]));
    no_way(over("and", [condition("is_alert")]));
    let otherwise = [condition("is_alert"), shout(), shout()];
    stops(over("if_else", otherwise), false, true);
    no_way(over("if_else", [condition("is_alert"), shout()]));
    stops(
        over("while_loop", [condition("is_alert"), go_to()]),
        false,
        true,
    );
}

#[test]
fn unreachable_lint_reports_the_first_node_by_the_rule_of_its_kind() {
    let stuck = || [node("always_running"), go_to(), go_to()];
    for kind in [
        "sequence",
        "memory_sequence",
        "reactive_sequence",
        "select",
        "memory_select",
        "reactive_select",
        "always_seq",
    ] {
        table(Code::Unreachable, [(over(kind, stuck()), &["t 3"])]);
    }
    for kind in ["parallel", "random_seq", "random_select"] {
        table(Code::Unreachable, [(over(kind, stuck()), &[])]);
    }
    table(
        Code::Unreachable,
        [
            (over("always_seq", [always_fails(), shout(), go_to()]), &[]),
            (over("memory_select", [shout(), go_to()]), &["t 3"]),
            (
                over(
                    "reactive_select",
                    [shout().guard(guard("is_alert")), go_to()],
                ),
                &[],
            ),
        ],
    );
}

#[test]
fn unreachable_node_lint_names_the_blocking_node_and_why() {
    let message = |before| {
        let found = all(&[tree("t", select([before, go_to()]))], &[]);
        let unreachable = found.iter().find(|one| one.code() == Code::Unreachable);
        unreachable.unwrap().message().to_owned()
    };
    for (before, why) in [
        (shout(), "node 2 (`action`) before it always succeeds"),
        (
            node("always_running"),
            "node 2 (`always_running`) before it never ends",
        ),
        (node("reset"), "node 2 (`reset`) before it ends the tree"),
    ] {
        assert_eq!(message(before), format!("it never runs: {why}"));
    }
}

//! Children of a parallel that set the same key.

use serde_json::json;

use super::*;
use bt_core::tree::asset::spec::{call, parallel, sequence, sub_tree, wait_event};

fn sets(key: &str, value: u32) -> NodeSpec {
    action("set_key_value").arg(key).arg(value)
}

fn looks() -> NodeSpec {
    action("look").key("foe")
}

#[test]
fn two_children_that_set_a_key_race() {
    let both = |children| parallel(2, 1, children);
    table(
        Code::RacingKeys,
        [
            (both([looks(), looks()]), &["t 3 action_args/0/arg_value"]),
            (
                both([sets("k", 1), sets("k", 2)]),
                &["t 3 action_args/0/arg_value"],
            ),
            (
                both([sequence([go_to(), looks()]), looks()]),
                &["t 5 action_args/0/arg_value"],
            ),
            (
                both([go_to().service(1.0, call("look").key("foe")), looks()]),
                &["t 3 action_args/0/arg_value"],
            ),
            (
                both([looks(), go_to().effect("exit", call("look").key("foe"))]),
                &["t 3 effects/exit/0/action_args/0/arg_value"],
            ),
            (
                parallel(3, 1, [looks(), looks(), looks()]),
                &["t 3 action_args/0/arg_value", "t 4 action_args/0/arg_value"],
            ),
            (
                node("parallel").children([looks(), looks()]),
                &["t 3 action_args/0/arg_value"],
            ),
        ],
    );
}

#[test]
fn racing_keys_lint_passes_sequential_nodes() {
    table(
        Code::RacingKeys,
        [
            (sequence([looks(), looks()]), &[]),
            (parallel(2, 1, [sequence([looks(), looks()]), go_to()]), &[]),
            (parallel(2, 1, [looks(), action("look").key("friend")]), &[]),
            (parallel(2, 1, [looks(), action("chase").key("foe")]), &[]),
        ],
    );
}

#[test]
fn setting_the_same_value_is_no_race() {
    let same = parallel(2, 1, [sets("k", 1), sets("k", 1)]);
    let attached = |value: u32| go_to().effect("exit", call("set_key_value").arg("k").arg(value));
    let luck = || action("random_int").arg(1).arg(6).arg("k");
    table(
        Code::RacingKeys,
        [
            (same, &[]),
            (parallel(2, 1, [attached(1), sets("k", 1)]), &[]),
            (
                parallel(2, 1, [attached(1), attached(2)]),
                &["t 3 effects/exit/0/action_args/0/arg_value"],
            ),
            (
                parallel(2, 1, [luck(), luck()]),
                &["t 3 action_args/2/arg_value"],
            ),
        ],
    );
}

#[test]
fn racing_keys_lint_passes_actions_that_update_the_value() {
    let counts = || action("number_add").arg("score").arg(1);
    let pushes = || action("array_push").arg("list").arg(1);
    let in_out = || action("count").key("score");
    table(
        Code::RacingKeys,
        [
            (parallel(2, 1, [counts(), counts()]), &[]),
            (parallel(2, 1, [pushes(), pushes()]), &[]),
            (parallel(2, 1, [in_out(), in_out()]), &[]),
        ],
    );
}

#[test]
fn keys_of_a_childs_own_are_several_keys() {
    let own = |child: NodeSpec| child.extra("blackboard", json!({"foe": {"type": "uint64"}}));
    table(
        Code::RacingKeys,
        [
            (parallel(2, 1, [own(looks()), own(looks())]), &[]),
            (
                parallel(2, 1, [own(sequence([go_to(), looks()])), looks()]),
                &[],
            ),
            (
                own(parallel(2, 1, [looks(), looks()])),
                &["t 3 action_args/0/arg_value"],
            ),
        ],
    );
}

#[test]
fn callers_and_events_do_not_race() {
    let handed = || json!({"foe": {"arg_type": "plain", "arg_value": 7}});
    let calls = || sub_tree("t").extra("args", handed());
    let waits = || wait_event("alarm").extra("params", json!({"post": "scene"}));
    table(
        Code::RacingKeys,
        [
            (parallel(2, 1, [calls(), calls()]), &[]),
            (parallel(1, 2, [waits(), waits()]), &[]),
        ],
    );
}

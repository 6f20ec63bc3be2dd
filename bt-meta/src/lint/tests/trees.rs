//! Trees that never wait, that nothing runs, and that call themselves.

use serde_json::json;

use super::*;
use bt_core::tree::asset::spec::{
    condition, decorator, guard, parallel, select, sequence, sub_tree, wait_event,
};

fn rooted(key: &str, value: serde_json::Value, child: NodeSpec) -> NodeSpec {
    node("root").extra(key, value).child(child)
}

fn told_from(code: Code, trees: &[TreeAsset], starts: &[&str]) -> Vec<String> {
    places(code, &all(trees, starts))
}

#[test]
fn a_tree_that_begins_again_waits_for_something() {
    table(
        Code::NeverWaits,
        [
            (shout(), &["t 0"]),
            (select([condition("is_alert"), action("risk")]), &["t 0"]),
            (over("timeout", [shout()]).extra("seconds", 3), &["t 0"]),
            (over("repeat", [shout()]).extra("count", 3), &["t 0"]),
            (over("cooldown", [shout()]).extra("seconds", 3), &["t 0"]),
            (rooted("mode", json!("loop"), shout()), &["t 0"]),
            (rooted("mode", json!("once"), shout()), &[]),
            (select([condition("is_alert"), go_to()]), &[]),
            (action("guard"), &[]),
            (action("wait_for_seconds").arg(1), &[]),
            (action("wait_frames").arg(1), &[]),
            (wait_event("alarm"), &[]),
            (node("always_running"), &[]),
            (over("delay", [shout()]).extra("seconds", 3), &[]),
            (over("until_success", [action("dare")]), &[]),
            (over("while_loop", [condition("is_alert"), shout()]), &[]),
            (over("loop", [shout()]).extra("count", 3), &[]),
            (over("frames", [shout()]).extra("count", 3), &[]),
            (over("repeat", [shout()]).extra("count", -1), &[]),
            (decorator("in_peace", shout()), &[]),
        ],
    );
    let echo = TreeAsset::build("t", "echo", action("anything"));
    assert_eq!(told(Code::NeverWaits, &[echo]), [""; 0]);
}

#[test]
fn a_tree_waits_if_one_that_it_runs_does() {
    let calls = |name: &str, other: &str| tree(name, sequence([shout(), sub_tree(other)]));
    let never = |trees: &[TreeAsset]| told(Code::NeverWaits, trees);
    assert_eq!(never(&[calls("a", "b"), tree("b", go_to())]), [""; 0]);
    assert_eq!(
        never(&[calls("a", "b"), calls("b", "c"), tree("c", go_to())]),
        [""; 0]
    );
    assert_eq!(never(&[calls("a", "b"), tree("b", shout())]), ["a 0"]);
    // Of one that others run, they are told of.
    assert_eq!(
        never(&[
            tree("a", sequence([go_to(), sub_tree("b")])),
            tree("b", shout())
        ]),
        [""; 0]
    );
    let on = json!([{"event": "alarm", "tree": "b"}]);
    assert_eq!(
        never(&[tree("a", go_to().extra("events", on)), tree("b", shout())]),
        [""; 0]
    );
    // Which tree a key names, nobody knows.
    let named = tree("a", node("sub_tree").extra("name_key", "which"));
    assert_eq!(never(&[named.clone(), tree("b", shout())]), [""; 0]);
    let found = told_from(Code::NeverWaits, &[named, tree("b", shout())], &["b"]);
    assert_eq!(found, ["b 0"]);
    // Of a tree that there is not, neither.
    let lost = tree("a", sequence([shout(), sub_tree("lost")]));
    assert_eq!(places(Code::NeverWaits, &look(&[lost], &[])), [""; 0]);
}

#[test]
fn only_what_the_host_starts_begins_again() {
    let trees = [tree("a", shout()), tree("b", shout())];
    assert_eq!(told_from(Code::NeverWaits, &trees, &[]), ["a 0", "b 0"]);
    assert_eq!(told_from(Code::NeverWaits, &trees, &["b"]), ["b 0"]);
    let called = [
        tree("a", sequence([go_to(), sub_tree("b")])),
        tree("b", shout()),
    ];
    assert_eq!(
        told_from(Code::NeverWaits, &called, &["a", "b.json"]),
        ["b 0"]
    );
}

/// A tree that needs a foe.
fn needs_foe(more: serde_json::Value, top: NodeSpec) -> TreeAsset {
    let mut key = json!({"type": "uint64", "scope": "tree"});
    key.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    tree("needs", rooted("blackboard", json!({"foe": key}), top))
}

fn chases() -> NodeSpec {
    action("chase").key("foe")
}

#[test]
fn a_tree_that_needs_a_value_is_called() {
    let unused = |trees: &[TreeAsset]| told(Code::UnusedTree, trees);
    let idle = tree("a", go_to());
    assert_eq!(
        unused(&[idle.clone(), needs_foe(json!({}), chases())]),
        ["needs 0"]
    );
    let handed = json!({"foe": {"arg_type": "plain", "arg_value": 7}});
    let caller = tree("a", sub_tree("needs").extra("args", handed));
    assert_eq!(unused(&[caller, needs_foe(json!({}), chases())]), [""; 0]);
    let on = json!([{"event": "alarm", "tree": "needs.json"}]);
    let by_event = tree("a", go_to().extra("events", on));
    assert_eq!(unused(&[by_event, needs_foe(json!({}), chases())]), [""; 0]);
    let by_key = tree("a", node("sub_tree").extra("name_key", "which"));
    assert_eq!(unused(&[by_key, needs_foe(json!({}), chases())]), [""; 0]);
    // Its own call does not count.
    let calls_itself = select([chases(), sub_tree("needs")]);
    assert_eq!(unused(&[needs_foe(json!({}), calls_itself)]), ["needs 0"]);
}

#[test]
fn a_key_of_its_own_may_be_a_note_to_itself() {
    let unused = |tree: TreeAsset| told(Code::UnusedTree, &[tree]);
    assert_eq!(unused(needs_foe(json!({"initial": 7}), chases())), [""; 0]);
    let finds = sequence([action("look").key("foe"), chases()]);
    assert_eq!(unused(needs_foe(json!({}), finds)), [""; 0]);
    assert_eq!(
        unused(needs_foe(json!({"scope": "agent"}), chases())),
        [""; 0]
    );
    assert_eq!(unused(needs_foe(json!({}), go_to())), [""; 0]);
}

#[test]
fn unused_tree_lint_starts_from_the_trees_that_the_host_names() {
    let on = json!([{"event": "alarm", "tree": "c"}]);
    let trees = [
        tree("a", sub_tree("b")),
        tree("b", go_to().extra("events", on)),
        tree("c", go_to()),
        tree("d", sub_tree("e")),
        tree("e", sub_tree("d")),
    ];
    assert_eq!(told_from(Code::UnusedTree, &trees, &["a"]), ["d 0", "e 0"]);
    assert_eq!(told_from(Code::UnusedTree, &trees, &["a", "e"]), [""; 0]);
    assert_eq!(told_from(Code::UnusedTree, &trees, &[]), [""; 0]);
}

#[test]
fn a_tree_that_always_calls_itself_never_ends() {
    let itself = || sub_tree("t");
    table(
        Code::EndlessRecursion,
        [
            (itself(), &["t 1 sub_tree_name"]),
            (sequence([shout(), itself()]), &["t 3 sub_tree_name"]),
            (
                sequence([wait_event("alarm"), itself()]),
                &["t 3 sub_tree_name"],
            ),
            (
                select([over("always_false", [shout()]), itself()]),
                &["t 4 sub_tree_name"],
            ),
            (
                over("always_seq", [action("dare"), itself()]),
                &["t 3 sub_tree_name"],
            ),
            (parallel(1, 1, [go_to(), itself()]), &["t 3 sub_tree_name"]),
            (over("negative", [itself()]), &["t 2 sub_tree_name"]),
            (
                over("delay", [itself()]).extra("seconds", 1),
                &["t 2 sub_tree_name"],
            ),
            (over("if_else", [itself(), shout()]), &["t 2 sub_tree_name"]),
        ],
    );
}

#[test]
fn recursion_behind_something_that_may_stop_it_is_meant() {
    let itself = || sub_tree("t");
    table(
        Code::EndlessRecursion,
        [
            (sequence([condition("is_alert"), itself()]), &[]),
            (sequence([action("risk"), itself()]), &[]),
            (sequence([node("always_running"), itself()]), &[]),
            (select([node("always_running"), itself()]), &[]),
            (sequence([shout().guard(guard("is_alert")), itself()]), &[]),
            (select([action("dare"), itself()]), &[]),
            (select([shout(), itself()]), &[]),
            (itself().guard(guard("is_alert")), &[]),
            (sequence([itself()]).guard(guard("is_alert")), &[]),
            (itself().extra("mode", "transfer"), &[]),
            (itself().extra("name_key", "which"), &[]),
            (node("sub_tree").extra("name_key", "which"), &[]),
            (over("if_else", [condition("is_alert"), itself()]), &[]),
            (over("while_loop", [condition("is_alert"), itself()]), &[]),
            (
                over("probility", [itself(), shout()]).extra("prob", json!([1, 1])),
                &[],
            ),
            (over("random_select", [itself(), shout()]), &[]),
            (over("repeat", [itself()]).extra("count", 0), &[]),
            (over("run_limit", [itself()]).extra("count", 3), &[]),
            (decorator("in_peace", itself()), &[]),
            (
                go_to().extra(
                    "events",
                    json!([{"event": "alarm", "tree": "t", "mode": "return"}]),
                ),
                &[],
            ),
        ],
    );
}

#[test]
fn cycle_of_trees_is_reported_once() {
    let calls =
        |name: &str, other: &str| tree(name, sequence([wait_event("alarm"), sub_tree(other)]));
    let trees = [calls("a", "b"), calls("b", "c.json"), calls("c", "b")];
    let found = all(&trees, &[]);
    assert_eq!(
        places(Code::EndlessRecursion, &found),
        ["b 3 sub_tree_name"]
    );
    let endless = found
        .iter()
        .find(|one| one.code() == Code::EndlessRecursion);
    let message = endless.unwrap().message();
    assert_eq!(
        message,
        "the tree calls itself in every run, by way of `c`, `b`"
    );
    let open = [
        calls("a", "b"),
        calls("b", "c"),
        tree("c", select([go_to(), sub_tree("a")])),
    ];
    assert_eq!(told(Code::EndlessRecursion, &open), [""; 0]);
}

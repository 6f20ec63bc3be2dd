//! Keys that are only read or only set.

use serde_json::json;

use super::*;
use bt_core::tree::asset::spec::{
    call, condition, decorator, guard, sequence, sub_tree, wait_event,
};

/// The keys that are read and never set, and those that are set and never read.
fn lonely(trees: &[TreeAsset]) -> (Vec<String>, Vec<String>) {
    let found = look(trees, &[]);
    (
        places(Code::UnsetKey, &found),
        places(Code::UnreadKey, &found),
    )
}

/// Only this is reported of the keys in one tree.
#[track_caller]
fn unset(top: NodeSpec, expected: &[&str]) {
    assert_eq!(
        all(&[tree("t", top.clone())], &[]).len(),
        look(&[tree("t", top.clone())], &[]).len()
    );
    let (unset, unread) = lonely(&[tree("t", top)]);
    assert_eq!(unset, expected);
    assert_eq!(unread, [""; 0]);
}

#[track_caller]
fn unread(top: NodeSpec, expected: &[&str]) {
    let (unset, unread) = lonely(&[tree("t", top)]);
    assert_eq!(unread, expected);
    assert_eq!(unset, [""; 0]);
}

fn reads(key: &str) -> NodeSpec {
    action("chase").key(key)
}

fn sets(key: &str) -> NodeSpec {
    action("set_key_value").arg(key).arg(1)
}

#[test]
fn a_key_that_is_read_wherever_is_set_somewhere() {
    unset(reads("foe"), &["t 1 action_args/0/arg_value"]);
    unset(
        go_to().guard(guard("is_foe").key("foe")),
        &["t 1 guards/0/condition_args/0/arg_value"],
    );
    unset(
        go_to().effect("exit", call("chase").key("foe")),
        &["t 1 effects/exit/0/action_args/0/arg_value"],
    );
    unset(
        go_to().service(1.0, call("shout").key("words")),
        &["t 1 services/0/action_args/0/arg_value"],
    );
    unset(
        node("sub_tree").extra("name_key", "which"),
        &["t 1 name_key"],
    );
    let limited = over("run_limit", [go_to()]).extra("count", 1);
    let again = json!({"condition_name": "has_key", "condition_args": [{"arg_type": "plain", "arg_value": "again"}]});
    unset(
        limited.extra("reset_if", again),
        &["t 1 reset_if/condition_args/0/arg_value"],
    );
    unset(
        sequence([reads("foe"), reads("foe"), reads("x")]),
        &["t 2 action_args/0/arg_value", "t 4 action_args/0/arg_value"],
    );
    unset(sequence([sets("foe"), reads("foe")]), &[]);
    unset(sequence([reads("foe"), sets("foe")]), &[]);
}

#[test]
fn built_in_actions_name_keys_as_text() {
    for (read, place) in [
        (condition("has_key").arg("k"), 0),
        (condition("has_key_value").arg("k").arg(1), 0),
        (condition("compare_key").arg("k").arg("==").arg(1), 0),
        (condition("number_less_than").arg("k").arg(1), 0),
        (condition("array_contains").arg("k").arg(1), 0),
        (condition("string_contains").arg("k").arg("x"), 0),
        (action("log_bb").arg("info").arg("k"), 1),
        // They change a key in place, which has to be there.
        (action("number_add").arg("k").arg(1), 0),
        (action("array_shuffle").arg("k"), 0),
        (action("array_clear").arg("k"), 0),
    ] {
        let expected = format!("t 1 action_args/{place}/arg_value");
        unset(read.clone(), &[&expected]);
        unset(sequence([sets("k"), read]), &[]);
    }
    for set in [
        action("random_int").arg(1).arg(6).arg("k"),
        action("string_format").arg("x").arg("k"),
        action("set_key_value").arg("k").arg(1),
    ] {
        assert_eq!(lonely(&[tree("t", set.clone())]).1.len(), 1);
        unread(sequence([set, reads("k")]), &[]);
    }
    // They begin a key that is not set, and look at one that is.
    unread(action("array_push").arg("k").arg(1), &[]);
    unread(action("string_append").arg("k").arg("x"), &[]);
    unset(
        sequence([action("array_push").arg("k").arg(1), reads("k")]),
        &[],
    );
    // Removing is neither.
    unset(action("remove_key").arg("k"), &[]);
    unset(action("remove_keys").arg(json!(["k"])), &[]);
    unread(
        sequence([sets("k"), action("remove_key").arg("k")]),
        &["t 2 action_args/0/arg_value"],
    );
    // An agent's own text is a text.
    unset(shout().arg("foe"), &[]);
}

#[test]
fn one_key_is_copied_to_another() {
    let copy = action("copy_key").arg("from").arg("to");
    let (unset, unread) = lonely(&[tree("t", copy)]);
    assert_eq!(unset, ["t 1 action_args/0/arg_value"]);
    assert_eq!(unread, ["t 1 action_args/1/arg_value"]);
    let pop = action("array_pop").arg("from").arg("to");
    assert_eq!(lonely(&[tree("t", pop)]).0, ["t 1 action_args/0/arg_value"]);
}

#[test]
fn a_template_names_keys_in_braces() {
    let says = |template: &str| {
        let format = action("string_format").arg(template).arg("line");
        sequence([format, shout().key("line")])
    };
    unset(says("{name}: {words}"), &["t 2 action_args/0/arg_value"; 2]);
    unset(says("{{name}} and }}{{"), &[]);
    unset(says("{{{name}}}"), &["t 2 action_args/0/arg_value"]);
    unset(says("{"), &[]);
    unset(sequence([sets("name"), says("{name}")]), &[]);
}

#[test]
fn out_arguments_set_and_in_out_arguments_need() {
    unread(action("look").key("foe"), &["t 1 action_args/0/arg_value"]);
    unset(sequence([action("look").key("foe"), reads("foe")]), &[]);
    let by_name = |name: &str| {
        let args = json!([{"arg_name": name, "arg_type": "blackboard", "arg_value": "foe"}]);
        node("action")
            .extra("action_name", "look")
            .extra("action_args", args)
    };
    for name in ["found", "who"] {
        unread(by_name(name), &["t 1 action_args/0/arg_value"]);
    }
    // The runtime does not call it while the key is not set.
    unset(
        action("count").key("rounds"),
        &["t 1 action_args/0/arg_value"],
    );
    unset(
        sequence([sets("rounds"), action("count").key("rounds")]),
        &[],
    );
}

#[test]
fn keys_are_set_by_services_effects_events_and_callers() {
    unset(reads("foe").service(1.0, call("look").key("foe")), &[]);
    unset(reads("foe").effect("enter", call("look").key("foe")), &[]);
    let waits = wait_event("alarm").extra("params", json!({"post": "scene"}));
    unread(waits.clone(), &["t 1 params/post"]);
    unset(sequence([waits, action("go_to").key("scene")]), &[]);
    let on = json!([{"event": "alarm", "tree": "t", "params": {"post": "scene"}}]);
    unset(action("go_to").key("scene").extra("events", on), &[]);
    let handed = json!({"foe": {"arg_type": "blackboard", "arg_value": "seen"}});
    let caller = tree("a", sub_tree("b").extra("args", handed));
    let callee = tree("b", reads("foe"));
    assert_eq!(
        lonely(&[caller, callee]),
        (vec!["a 1 args/foe/arg_value".to_owned()], vec![])
    );
}

#[test]
fn one_tree_sets_what_another_reads() {
    let trees = [tree("a", sets("foe")), tree("b", reads("foe"))];
    assert_eq!(lonely(&trees), (vec![], vec![]));
    let both = [tree("a", reads("foe")), tree("b", reads("foe"))];
    assert_eq!(lonely(&both).0, ["a 1 action_args/0/arg_value"]);
}

#[test]
fn key_lints_skip_declared_keys() {
    let declaring = |keys, child| node("root").extra("blackboard", keys).child(child);
    let foe = || json!({"foe": {"type": "uint64"}});
    unset(declaring(foe(), reads("foe")), &[]);
    unread(declaring(foe(), action("look").key("foe")), &[]);
    unset(
        over("sequence", [reads("foe")]).extra("blackboard", foe()),
        &[],
    );
    // One that is declared wrongly is reported as such.
    let wrong = declaring(json!({"foe": {"type": "number"}}), reads("foe"));
    assert_eq!(lonely(&[tree("t", wrong)]).0, [""; 0]);
    unset(
        declaring(foe(), reads("foo")),
        &["t 1 action_args/0/arg_value"],
    );
}

#[test]
fn a_name_that_is_not_written_may_be_any() {
    let key_from = |key: &str| action("set_key_value").key(key).arg(1);
    unset(
        sequence([reads("foe"), key_from("which"), sets("which")]),
        &[],
    );
    let read_any = condition("has_key").property("post");
    unread(sequence([sets("foe"), read_any]), &[]);
    let template = action("string_format").property("post").arg("line");
    unread(sequence([sets("foe"), template]), &[]);
}

#[test]
fn key_lints_are_silent_about_calls_with_unknown_effects() {
    let echo = |top| lonely(&[TreeAsset::build("t", "echo", top)]);
    let nothing = (vec![], vec![]);
    assert_eq!(echo(action("tell").key("foe")), nothing);
    assert_eq!(
        echo(sequence([
            action("tell").arg("foe"),
            condition("has_key").arg("foe")
        ])),
        nothing
    );
    assert_eq!(echo(condition("has_key").arg("foe")).0.len(), 1);
    // A slip in the name of the action that sets the key is one problem, not two.
    let slip = sequence([action("set_key_valu").arg("foe").arg(1), reads("foe")]);
    assert_eq!(lonely(&[tree("t", slip)]), nothing);
    let nobody = TreeAsset::build("t", "sentri", sets("foe"));
    assert_eq!(lonely(&[nobody, tree("b", reads("foe"))]), nothing);
}

#[test]
fn decorators_read_keys_as_actions_do() {
    let args = json!([{"arg_type": "blackboard", "arg_value": "share"}]);
    let over = decorator("in_peace", go_to()).extra("decorator_args", args);
    assert_eq!(
        lonely(&[tree("t", over)]).0,
        ["t 1 decorator_args/0/arg_value"]
    );
}

#[test]
fn the_nearest_name_is_suggested() {
    let found = all(
        &[tree("t", sequence([sets("target"), reads("taregt")]))],
        &[],
    );
    let helps: Vec<_> = found.iter().filter_map(Problem::help).collect();
    assert!(helps.contains(&"did you mean `target`?"), "{helps:?}");
    assert!(helps.contains(&"did you mean `taregt`?"), "{helps:?}");
    let found = all(&[tree("t", reads("foe"))], &[]);
    assert_eq!(
        found[0].help(),
        Some("if the host or an action sets it, declare it in the `blackboard` of the root")
    );
}

//! Tests of constructs that the original's editor does not take.

use super::*;
use bt_core::tree::asset::spec::{call, guard, sub_tree};
use serde_json::json;

#[test]
fn original_editor_lint_reports_kinds_attachments_arguments_and_weights() {
    let chances = |weights: [f64; 2]| {
        let weights = json!(weights);
        over("probility", [go_to(), go_to()]).extra("prob", weights)
    };
    table(
        Code::OriginalEditor,
        [
            (
                over("timeout", [go_to()]).extra("seconds", 5),
                &["t 1 type"],
            ),
            (go_to().guard(guard("is_alert")), &["t 1 extra"]),
            (shout(), &["t 1 action_args"]),
            (chances([0.5, 1.0]), &["t 1 prob"]),
            (chances([2.0, 1.0]), &[]),
            (over("sequence", [go_to(), go_to()]), &[]),
        ],
    );
}

/// The findings about the first node below the root, without the common part of the messages.
fn told_of(top: NodeSpec) -> Vec<String> {
    let trees = [tree("t", top)];
    let problems = all(&trees, &[]).into_iter();
    let problems = problems.filter(|problem| problem.code() == Code::OriginalEditor);
    let told = problems.map(|problem| {
        let what = problem
            .message()
            .strip_prefix("the original editor cannot edit this: ");
        format!("{}: {}", problem.node().unwrap(), what.unwrap())
    });
    told.collect()
}

#[test]
fn original_editor_lint_reports_every_attachment_and_declared_keys() {
    let loses = "it deletes attachments and declared keys when it saves";
    for attached in [
        go_to().guard(guard("is_alert")),
        go_to().effect("enter", call("shout").arg("Ho!")),
        go_to().effect("exit", call("shout").arg("Ho!")),
        go_to().service(1.0, call("shout").arg("Ho!")),
        go_to().extra("events", json!([{"event": "alarm", "tree": "t"}])),
    ] {
        assert_eq!(told_of(attached), [format!("1: {loses}")]);
    }
    let key = json!({"foe": {"type": "uint64", "initial": 7}});
    let declares = node("root").extra("blackboard", key).child(go_to());
    assert_eq!(told_of(declares), [format!("0: {loses}")]);
    assert_eq!(told_of(over("sequence", [sub_tree("t")])), [""; 0]);
}

#[test]
fn original_editor_lint_says_what_becomes_of_arguments() {
    let refuses = "1: it refuses arguments from properties";
    assert_eq!(told_of(action("go_to").property("post")), [refuses]);
    let named = json!([{"arg_name": "post", "arg_type": "plain", "arg_value": "gate"}]);
    let drops = "1: it drops the names of arguments, so their values go to other parameters";
    assert_eq!(
        told_of(action("go_to").extra("action_args", named)),
        [drops]
    );
    let crashes = "1: it crashes on an action without its arguments";
    assert_eq!(told_of(shout()), [crashes]);
    assert_eq!(told_of(action("guard")), [""; 0]);
    assert_eq!(told_of(action("chase").arg(7)), [""; 0]);
}

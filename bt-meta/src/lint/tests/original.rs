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
    let events = json!([{"event": "alarm", "tree": "t"}]);
    let args = json!({"post": {"arg_type": "plain", "arg_value": "gate"}});
    for (key, node) in [
        ("guards", go_to().guard(guard("is_alert"))),
        ("effects", go_to().effect("enter", call("shout").arg("Ho!"))),
        ("effects", go_to().effect("exit", call("shout").arg("Ho!"))),
        ("services", go_to().service(1.0, call("shout").arg("Ho!"))),
        ("events", go_to().extra("events", events)),
        ("args", sub_tree("t").extra("args", args)),
        (
            "keep_blackboard",
            sub_tree("t").extra("keep_blackboard", true),
        ),
        ("keep_place", over("sequence", [go_to()]).keep_place()),
        ("success", over("parallel", [go_to()]).extra("success", 1)),
        (
            "latch",
            node("wait_event")
                .extra("event", "alarm")
                .extra("latch", true),
        ),
        ("mine", over("select", [go_to()]).extra("mine", 7)),
    ] {
        let told = told_of(node).concat();
        let expected = format!("it deletes `{key}` when it saves");
        assert!(told.contains(&expected), "{key}: {told}");
    }
    let key = json!({"foe": {"type": "uint64", "initial": 7}});
    let declares = node("root").extra("blackboard", key).child(go_to());
    assert_eq!(
        told_of(declares),
        ["0: it deletes `blackboard` when it saves"]
    );
    let plays_once = node("root").extra("mode", "once").child(go_to());
    assert_eq!(told_of(plays_once), ["0: it deletes `mode` when it saves"]);
    assert_eq!(told_of(over("sequence", [sub_tree("t")])), [""; 0]);
}

#[test]
fn original_editor_lint_names_keys_of_the_file_and_few_of_many() {
    let mut of_a_file = tree("t", go_to());
    let mine = serde_json::Value::from(7);
    of_a_file.keys_mut().insert("mine".to_owned(), mine);
    let problems = all(&[of_a_file], &[]);
    let problem = problems
        .iter()
        .find(|found| found.code() == Code::OriginalEditor);
    let told = problem.unwrap().message();
    assert!(
        told.ends_with("it deletes `mine` when it saves, of the file itself"),
        "{told}"
    );
    let long = "k".repeat(10_000);
    let many = (0..100).fold(over("select", [go_to()]), |node, number| {
        node.extra(&format!("{number:03}{long}"), 7)
    });
    let told = told_of(many).concat();
    assert!(told.contains(" and 92 more keys when it saves") && told.len() < 1000);
}

#[test]
fn original_editor_lint_counts_children() {
    let many = over("sequence", [(); 21].map(|()| go_to()));
    let told = "1: it takes 1 to 20 children of a node of type `sequence`, found 21";
    assert_eq!(told_of(many), [told]);
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

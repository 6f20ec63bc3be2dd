//! The files of the original's editor, read before there is any Rust.

use std::fs;
use std::path::{Path, PathBuf};

use bt_meta::original::{read, skeleton};
use serde_json::{Value, json};

use crate::common::json;
use crate::common::sandbox::{Sandbox, run};

fn mosaic(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../tests/data/mosaic")
        .join(file)
}

fn shown(file: &str) -> String {
    mosaic(file).display().to_string()
}

/// The example's files, as its editor gets them.
fn monster(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../examples/monster/editor")
        .join(file)
}

#[test]
fn trees_of_the_original_are_validated_against_its_own_files() {
    let sandbox = Sandbox::new();
    let (actions, hierarchy) = (shown("actions.json"), shown("agent_hierachy.json"));
    let (kinds, trees) = (shown("node_types.json"), shown("btree"));
    let all = [
        "--actions",
        &actions,
        "--hierarchy",
        &hierarchy,
        "--node-types",
        &kinds,
    ];
    let validate =
        |trees: &str| run(&mut sandbox.command(".", [&["validate", trees][..], &all].concat()));
    let ran = validate(&trees);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let tree = fs::read_to_string(mosaic("btree/new_btree_1.json")).unwrap();
    sandbox.file(
        "trees/wrong.json",
        &tree.replace("\"wait_for_seconds\"", "\"wait_for_second\""),
    );
    let ran = validate("trees");
    assert_eq!(ran.code, 1);
    assert!(
        ran.out.contains("did you mean `wait_for_seconds`?"),
        "{}",
        ran.out
    );
    sandbox.file(
        "trees/wrong.json",
        &tree.replace("\"arg_value\": 2", "\"arg_value\": \"soon\""),
    );
    let ran = validate("trees");
    assert!(ran.out.contains("error[BT0041]"), "{}", ran.out);
}

#[test]
fn files_that_the_original_does_not_take_are_named_with_every_mistake() {
    let sandbox = Sandbox::new();
    let action = json!({"name": "walk", "brief": 5, "args": [{"name": "to", "type": "int"}]});
    sandbox.file(
        "actions.json",
        &json!({"dog": {"walk": action}, "cat": 7}).to_string(),
    );
    sandbox.file(
        "hierarchy.json",
        &json!({"dog": "animal", "puppy": "whelp", "whelp": "puppy"}).to_string(),
    );
    sandbox.file("kinds.json", &json!({"sequence": {"child_min": 1, "child_max": 20}, "spiral": {"child_min": "1", "child_max": 2}}).to_string());
    let path = |file: &str| sandbox.path().join(file);
    let error = read(
        &path("actions.json"),
        Some(&path("hierarchy.json")),
        Some(&path("kinds.json")),
    )
    .unwrap_err();
    let text = error.to_string();
    let messages = [
        "`/dog/walk/brief`: expected a text, found 5",
        "`/dog/walk/args/0/comment`: expected a text, found nothing",
        "`/dog/walk/return`: expected a text, found nothing",
        "`/cat`: expected an object with the agent's actions, found 7",
        "`/dog`: expected one of `dog`, `puppy` and `whelp`, or an empty text, found \"animal\"",
        "`/puppy`: expected a base that is not based on it, found \"whelp\"",
        "agent `cat` is not in it: write `\"cat\": \"\"` where it has no base",
        "`spiral` is a kind of your own, which bt does not run",
        "`/spiral/child_min`: expected a whole number, found \"1\"",
    ];
    for message in messages {
        assert!(text.contains(message), "{message}\n{text}");
    }
    let missing = read(&path("nothing.json"), None, None).unwrap_err();
    assert_eq!(missing.exit_code(), 2);
}

#[test]
fn stubs_of_what_is_built_in_are_left_out() {
    let catalogue = read(
        &mosaic("actions.json"),
        Some(&mosaic("agent_hierachy.json")),
        None,
    )
    .unwrap();
    assert!(
        skeleton(&catalogue)
            .unwrap()
            .contains("// Everything in the catalogue is built in")
    );
}

#[test]
fn stubs_have_a_rust_name_for_every_name() {
    let sandbox = Sandbox::new();
    let action = |name: &str| {
        json!({"name": name, "brief": "做", "return": "", "args": [
            {"name": "self", "type": "int", "comment": ""}, {"name": "速度", "type": "Speed", "comment": "快"}]})
    };
    let file = json!({"dog": {"loop": action("loop"), "走": action("走"), "跑": action("跑")}});
    sandbox.file("actions.json", &file.to_string());
    let catalogue = read(&sandbox.path().join("actions.json"), None, None).unwrap();
    let text = skeleton(&catalogue).unwrap();
    for part in [
        "use serde_json::Value;",
        "#[action(name = \"loop\")]\n    pub fn action_loop(",
        "#[action(name = \"走\")]\n    pub fn action(",
        "pub fn action_2(",
        "#[arg(name = \"self\")]\n        argument_self: i32,",
        "/// 快\n        #[arg(name = \"速度\")]\n        argument: Value,",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

/// Names and arguments by agent and action, with the types that the original's files can say.
fn listed(actions: &Value) -> Vec<String> {
    let known = [
        "bool", "string", "double", "float", "int32", "int64", "uint32", "uint64",
    ];
    let mut all = Vec::new();
    for (agent, actions) in actions.as_object().unwrap() {
        for (name, action) in actions.as_object().unwrap() {
            let args = action["args"].as_array().unwrap().iter().map(|arg| {
                let ty = arg["type"].as_str().unwrap();
                let ty = if known.contains(&ty) { ty } else { "" };
                format!("{}: {ty}", arg["name"].as_str().unwrap())
            });
            all.push(format!(
                "{agent}.{name}({})",
                args.collect::<Vec<_>>().join(", ")
            ));
        }
    }
    all
}

#[test]
fn stubs_compile_and_export_the_actions_that_they_were_made_of() {
    let sandbox = Sandbox::new();
    let (actions, hierarchy) = (
        monster("action_types.json"),
        monster("agent_hierarchy.json"),
    );
    let (actions, hierarchy) = (actions.to_str().unwrap(), hierarchy.to_str().unwrap());
    let stubs = ["stubs", "--actions", actions, "--hierarchy", hierarchy];
    let text = run(&mut sandbox.command(".", stubs)).done().out;
    sandbox.package(
        "ported",
        "ported-stubs",
        "serde_json = \"1\"",
        &format!("#![deny(warnings)]\n{text}"),
    );
    let mut again = stubs.to_vec();
    again.extend(["--output", "ported/src/lib.rs"]);
    let refused = run(&mut sandbox.command(".", &again));
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("is there already"), "{}", refused.err);
    sandbox.export("ported", &["--offline"]).done();
    let before: Value = serde_json::from_str(&fs::read_to_string(actions).unwrap()).unwrap();
    assert_eq!(
        listed(&json(&sandbox.out(), "action_types.json")),
        listed(&before)
    );
    let before: Value = serde_json::from_str(&fs::read_to_string(hierarchy).unwrap()).unwrap();
    assert_eq!(json(&sandbox.out(), "agent_hierarchy.json"), before);
}

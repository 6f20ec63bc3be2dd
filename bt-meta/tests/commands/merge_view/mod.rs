//! Edits in copies for the original's editor, brought back to their trees.

mod editor;
mod random;

use std::fs;

use bt_core::builtin::ActionAgent;
use bt_core::tree::Code;
use bt_core::{TreeAsset, TreeSet};
use bt_meta::view_trees::{Merged, copy, merge};
use serde_json::{Value, json};

use crate::common::sandbox::{Sandbox, run};
use crate::view_trees::{catalogue, monster};
use editor::Editor;

/// A tree with what the editor does not know: a guard, a timeout, arguments by name and from a property.
const HUNT: &str = r#"{"name": "hunt.json", "extra": {}, "tree_type": "hunt", "signature": "", "nodes": [
  {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "monster_agent"}},
  {"idx": 1, "parent": 0, "type": "sequence", "children": [2, 5, 6]},
  {"idx": 2, "parent": 1, "type": "timeout", "children": [3], "comment": "Not for ever.", "extra": {"seconds": 4.5}},
  {"idx": 3, "parent": 2, "type": "action", "children": [], "extra": {"action_name": "approach", "action_args": [
    {"arg_type": "property", "arg_value": "target", "arg_name": "target"}
  ], "guards": [{"condition_name": "is_far_from_home", "condition_args": []}]}},
  {"idx": 5, "parent": 1, "type": "check", "children": [], "extra": {"if": "@hp > 3"}},
  {"idx": 6, "parent": 1, "type": "action", "children": [], "extra": {"action_name": "rest"}}
]}"#;

fn read(text: &str) -> TreeAsset {
    TreeAsset::from_json("hunt.json", text).unwrap()
}

fn opened() -> Editor {
    Editor::open(&copy(&catalogue(), &read(HUNT)).unwrap())
}

fn merged(editor: &Editor) -> Merged {
    merge(&catalogue(), &read(HUNT), HUNT, None, &read(&editor.save())).unwrap()
}

/// The lines of the tree that a merge changed, as they are then.
fn lines(merged: &Merged) -> Vec<&str> {
    let before: Vec<&str> = HUNT.lines().collect();
    merged
        .text
        .lines()
        .filter(|line| !before.contains(line))
        .map(str::trim)
        .collect()
}

#[test]
fn mark_survives_a_save_in_the_editor_and_its_older_versions() {
    let view = copy(&catalogue(), &read(HUNT)).unwrap();
    let mark = read(&view).view_mark().unwrap().to_owned();
    assert!(mark.ends_with("; hunt"), "{mark}");
    let mut saved: Value = serde_json::from_str(&Editor::open(&view).save()).unwrap();
    assert_eq!(read(&saved.to_string()).view_mark(), Some(mark.as_str()));
    assert_eq!(saved["signature"], "27-11-2026 21:00:00");
    // An older version of that editor knows no `tree_type`.
    saved.as_object_mut().unwrap().remove("tree_type");
    let old = read(&saved.to_string());
    assert!(old.view_mark().is_some());
    assert_eq!(
        merge(&catalogue(), &read(HUNT), HUNT, None, &old)
            .unwrap()
            .text,
        HUNT
    );
}

#[test]
fn argument_is_changed_where_it_stands_and_a_left_out_one_is_added_by_name() {
    let mut editor = opened();
    let args = &mut editor.extra(3)["action_args"];
    assert_eq!(
        args[0],
        json!({"arg_type": "blackboard", "arg_value": "target"})
    );
    args[0]["arg_value"] = "leader".into();
    args[1]["arg_value"] = 9.5.into();
    let merged = merged(&editor);
    assert_eq!(merged.left, [""; 0]);
    assert_eq!(
        lines(&merged),
        [
            r#"{"arg_type": "property", "arg_value": "leader", "arg_name": "target"},"#,
            r#"{"arg_name": "range", "arg_type": "plain", "arg_value": 9.5}"#,
        ]
    );
    assert_eq!(merged.done.len(), 1);
    assert!(
        merged.done[0].starts_with("changed ▸ approach"),
        "{:?}",
        merged.done
    );
}

#[test]
fn nodes_are_added_removed_and_moved() {
    let mut editor = opened();
    editor.insert(1, "wait_event", json!({"event": "hit"}));
    editor.cut(6);
    editor.up(5);
    let merged = merged(&editor);
    assert_eq!(merged.left, [""; 0]);
    let tree = read(&merged.text);
    assert_eq!(tree.node(1).unwrap().children(), [5, 2, 7]);
    assert_eq!(tree.node(7).unwrap().extra["event"], "hit");
    assert_eq!(tree.node(3), read(HUNT).node(3));
    let words: Vec<_> = merged
        .done
        .iter()
        .map(|line| line.split(' ').next().unwrap())
        .collect();
    assert_eq!(words, ["moved", "removed", "added"]);
}

#[test]
fn child_below_a_stand_in_that_takes_one_is_brought_back_with_nothing_left() {
    let mut editor = opened();
    editor.insert(2, "wait_event", json!({"event": "hit"}));
    let merged = merged(&editor);
    assert_eq!(merged.left, [""; 0]);
    let tree = read(&merged.text);
    assert_eq!(tree.node(2).unwrap().kind, "timeout");
    assert_eq!(tree.node(2).unwrap().children(), [3, 7]);
}

#[test]
fn part_that_is_cut_and_pasted_keeps_what_the_editor_does_not_know() {
    let mut editor = opened();
    let part = editor.cut(2);
    let pasted = editor.paste(1, &part);
    assert_eq!(pasted, 7);
    let tree = read(&merged(&editor).text);
    assert_eq!(tree.node(1).unwrap().children(), [5, 6, 2]);
    assert_eq!(tree.node(2), read(HUNT).node(2));
    // A copy beside it has all of it, too.
    let mut editor = opened();
    let part = editor.copied(2);
    editor.paste(1, &part);
    let tree = read(&merged(&editor).text);
    assert_eq!(tree.node(1).unwrap().children(), [2, 5, 6, 7]);
    assert_eq!(tree.node(7).unwrap().extra, tree.node(2).unwrap().extra);
    assert_eq!(tree.node(8).unwrap().extra, tree.node(3).unwrap().extra);
}

#[test]
fn nodes_that_were_numbered_anew_are_what_they_were() {
    let mut editor = opened();
    editor.reorder();
    assert_eq!(merged(&editor).text, HUNT);
}

#[test]
fn comment_behind_the_words_of_the_copy_is_brought_back() {
    let mut editor = opened();
    editor.comment(2).push_str(" Really.");
    editor.comment(3).push_str("Slowly.");
    *editor.comment(5) = "My own.".to_owned();
    let merged = merged(&editor);
    assert_eq!(
        merged.left,
        [
            "node 5: its comment does not begin with what the copy says of it: write yours behind that"
        ]
    );
    let tree = read(&merged.text);
    assert_eq!(tree.node(2).unwrap().comment, "Not for ever. Really.");
    assert_eq!(tree.node(3).unwrap().comment, "Slowly.");
}

#[test]
fn call_in_the_place_of_another_kind_is_named_and_not_brought_back() {
    let mut editor = opened();
    *editor.extra(5) =
        json!({"action_name": "attack", "action_args": [{"arg_type": "plain", "arg_value": 1}]});
    let merged = merged(&editor);
    assert_eq!(merged.text, HUNT);
    assert_eq!(
        merged.left,
        ["node 5: `action` stands for `check`: change what it says in the tree"]
    );
}

#[test]
fn tree_that_changed_since_needs_the_old_one_and_conflicts_are_named() {
    let mut editor = opened();
    editor.extra(3)["action_args"][1]["arg_value"] = 9.5.into();
    editor.insert(1, "reset", json!({}));
    editor.cut(6);
    let edited = read(&editor.save());
    let moved = HUNT.replace(
        "\"action_name\": \"approach\"",
        "\"action_name\": \"chase\"",
    );
    let moved = moved.replace("\"action_name\": \"rest\"", "\"action_name\": \"smash\"");
    let error = merge(&catalogue(), &read(&moved), &moved, None, &edited).unwrap_err();
    assert!(error.is_finding());
    assert!(
        error
            .to_string()
            .contains("name the tree as it was with `--base`"),
        "{error}"
    );
    let merged = merge(
        &catalogue(),
        &read(&moved),
        &moved,
        Some(&read(HUNT)),
        &edited,
    )
    .unwrap();
    assert_eq!(
        merged.left,
        [
            "node 3: what it calls is changed in the copy and in the tree: it stays as the tree has it",
            "node 6: it is removed in the copy and changed in the tree: it stays",
        ]
    );
    let tree = read(&merged.text);
    assert_eq!(tree.node(3).unwrap().extra["action_name"], "chase");
    assert_eq!(tree.node(7).unwrap().kind, "reset");
    let other = HUNT.replace("4.5", "5.5");
    let error = merge(
        &catalogue(),
        &read(&moved),
        &moved,
        Some(&read(&other)),
        &edited,
    )
    .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("not made from the tree that `--base` names"),
        "{error}"
    );
}

#[test]
fn set_of_trees_refuses_a_copy_and_says_what_to_do() {
    let file = r#"{"nodes": [{"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "action_agent"}},
        {"idx": 1, "parent": 0, "type": "action", "children": [], "extra": {"action_name": "nop"}}]}"#;
    let view = copy(&catalogue(), &read(file)).unwrap();
    let mut unmarked: Value = serde_json::from_str(&view).unwrap();
    unmarked["tree_type"] = "".into();
    for (text, pointer) in [
        (view, "/tree_type"),
        (unmarked.to_string(), "/nodes/0/comment"),
    ] {
        let mut trees = TreeSet::<ActionAgent>::new();
        trees.add(read(&text));
        let error = trees.build().unwrap_err();
        let problem = &error.problems()[0];
        assert_eq!(
            (problem.code(), problem.pointer()),
            (Code::ViewCopy, pointer)
        );
        assert!(
            problem
                .help()
                .unwrap()
                .contains("`bt-meta merge-view` brings edits"),
            "{problem}"
        );
    }
}

#[test]
fn tree_that_is_no_copy_is_refused() {
    let error = merge(&catalogue(), &read(HUNT), HUNT, None, &read(HUNT)).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("it is no copy that `bt-meta export --view-trees` wrote"),
        "{error}"
    );
}

#[test]
fn command_shows_a_diff_and_writes_the_tree_when_it_is_asked_to() {
    let sandbox = Sandbox::new();
    sandbox.file("trees/wild/hunt.json", HUNT);
    let agents = monster().join("editor/agents.json");
    let agents = agents.to_str().unwrap();
    let export = [
        "export",
        "--catalogue",
        agents,
        "--out-dir",
        "editor",
        "--view-trees",
        "views",
        "--trees",
        "trees",
    ];
    run(&mut sandbox.command(".", export)).done();
    let mut editor = Editor::open(&sandbox.read("views/wild/hunt.json"));
    editor.extra(3)["action_args"][1]["arg_value"] = 9.5.into();
    fs::write(sandbox.path().join("views/wild/hunt.json"), editor.save()).unwrap();
    // A copy is not the game's tree.
    let validate = run(&mut sandbox.command(".", ["validate", "--catalogue", agents, "views"]));
    assert_eq!(validate.code, 1);
    assert!(
        validate
            .out
            .contains("error[BT0029]: this is a copy for the original editor"),
        "{}",
        validate.out
    );
    assert!(
        validate.out.contains("`bt-meta merge-view` brings edits"),
        "{}",
        validate.out
    );
    let merge = [
        "merge-view",
        "--catalogue",
        agents,
        "views",
        "--into",
        "trees",
    ];
    let shown = run(&mut sandbox.command(".", merge));
    assert_eq!(shown.code, 1);
    assert!(
        shown.out.contains("+    {\"arg_name\": \"range\""),
        "{}",
        shown.out
    );
    assert!(
        shown
            .err
            .contains("1 of 1 tree changed; `--write` writes them"),
        "{}",
        shown.err
    );
    assert_eq!(sandbox.read("trees/wild/hunt.json"), HUNT);
    let written = run(&mut sandbox.command(".", [&merge[..], &["--write"]].concat())).done();
    assert!(
        written.out.ends_with("1 of 1 tree changed\n"),
        "{}",
        written.out
    );
    assert!(sandbox.read("trees/wild/hunt.json").contains("9.5"));
    let missing = run(&mut sandbox.command(
        ".",
        [
            "merge-view",
            "--catalogue",
            agents,
            "views",
            "--into",
            "editor",
        ],
    ));
    assert_eq!(missing.code, 2);
    assert!(
        missing.err.contains("there is no tree of that name"),
        "{}",
        missing.err
    );
}

#[test]
fn edits_of_a_script_are_listed_for_a_person() {
    let sandbox = Sandbox::new();
    sandbox.file(
        "trees/day.bt",
        "AGENT monster_agent\nSEQUENCE True\n    rest\n    approach 7\n",
    );
    let agents = monster().join("editor/agents.json");
    let agents = agents.to_str().unwrap();
    let export = [
        "export",
        "--catalogue",
        agents,
        "--out-dir",
        "editor",
        "--view-trees",
        "views",
        "--trees",
        "trees",
    ];
    run(&mut sandbox.command(".", export)).done();
    let mut editor = Editor::open(&sandbox.read("views/day.json"));
    editor.up(3);
    fs::write(sandbox.path().join("views/day.json"), editor.save()).unwrap();
    let ran = run(&mut sandbox.command(
        ".",
        [
            "merge-view",
            "--catalogue",
            agents,
            "views",
            "--into",
            "trees",
            "--write",
        ],
    ));
    assert_eq!(ran.code, 1);
    assert!(
        ran.err
            .contains("day.bt is a script, which a person changes: moved"),
        "{}",
        ran.err
    );
}

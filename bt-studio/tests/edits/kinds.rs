//! Each edit by itself.

use serde_json::{Value, json};

use super::{edited, edits};

const LINES: &str = r#"{
  "nodes": [
    {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "guard"}},
    {"idx": 1, "parent": 0, "type": "probility", "children": [2, 3], "extra": {"prob": [0.50, 1.5]}},
    {"idx": 2, "parent": 1, "type": "action", "children": [], "extra": {"action_name": "walk",  "own": 1.0}},
    {"idx": 3, "parent": 1, "type": "sequence", "children": [7], "comment": "ä"},
    {"idx": 7, "parent": 3, "type": "action", "children": [], "extra": {"action_name": "rest"}}
  ]
}
"#;

/// The lines that changed.
fn changes(edit: Value) -> Vec<String> {
    let after = edited(LINES, &edits(json!([edit]))).unwrap();
    let before: Vec<_> = LINES.lines().collect();
    let changed = after.lines().filter(|line| !before.contains(line));
    changed.map(|line| line.trim().to_owned()).collect()
}

fn refusal(edit: Value) -> String {
    edited(LINES, &edits(json!([edit]))).unwrap_err()
}

#[test]
fn insert_writes_a_node_as_the_others_and_gives_it_a_weight() {
    let edit = json!({"do": "insert", "parent": 1, "at": 0, "kind": "action", "name": "run"});
    assert_eq!(
        changes(edit),
        [
            r#"{"idx": 1, "parent": 0, "type": "probility", "children": [8, 2, 3], "extra": {"prob": [1, 0.50, 1.5]}},"#,
            r#"{"idx": 7, "parent": 3, "type": "action", "children": [], "extra": {"action_name": "rest"}},"#,
            r#"{"idx": 8, "parent": 1, "type": "action", "children": [], "extra": {"action_name": "run"}}"#,
        ]
    );
}

#[test]
fn wrap_puts_a_node_between_others_and_the_one_above_them() {
    let edit = json!({"do": "wrap", "nodes": [3, 2], "kind": "sequence"});
    assert_eq!(
        changes(edit)[0],
        r#"{"idx": 1, "parent": 0, "type": "probility", "children": [8], "extra": {"prob": [0.50]}},"#
    );
    let edit = json!({"do": "wrap", "nodes": [7], "kind": "probility"});
    assert!(changes(edit).contains(
        &r#"{"idx": 8, "parent": 3, "type": "probility", "children": [7], "extra": {"prob": [1]}}"#.to_owned()
    ));
    assert!(
        refusal(json!({"do": "wrap", "nodes": [2, 7], "kind": "sequence"}))
            .contains("next to each other")
    );
    assert!(refusal(json!({"do": "wrap", "nodes": [0], "kind": "sequence"})).contains("root"));
}

#[test]
fn remove_takes_what_is_below_along_or_puts_it_in_its_place() {
    assert_eq!(
        changes(json!({"do": "remove", "nodes": [3]})),
        [
            r#"{"idx": 1, "parent": 0, "type": "probility", "children": [2], "extra": {"prob": [0.50]}},"#,
            r#"{"idx": 2, "parent": 1, "type": "action", "children": [], "extra": {"action_name": "walk",  "own": 1.0}}"#,
        ]
    );
    assert_eq!(
        changes(json!({"do": "remove", "nodes": [3], "keep_children": true})),
        [
            r#"{"idx": 1, "parent": 0, "type": "probility", "children": [2, 7], "extra": {"prob": [0.50, 1.5]}},"#,
            r#"{"idx": 7, "parent": 1, "type": "action", "children": [], "extra": {"action_name": "rest"}}"#,
        ]
    );
    assert!(refusal(json!({"do": "remove", "nodes": [0]})).contains("root"));
    assert!(refusal(json!({"do": "remove", "nodes": []})).contains("no node"));
    assert!(refusal(json!({"do": "remove", "nodes": [99]})).contains("no node 99"));
}

#[test]
fn move_takes_the_weight_along() {
    assert_eq!(
        changes(json!({"do": "move", "nodes": [3], "parent": 1, "at": 0})),
        [
            r#"{"idx": 1, "parent": 0, "type": "probility", "children": [3, 2], "extra": {"prob": [1.5, 0.50]}},"#
        ]
    );
    assert_eq!(
        changes(json!({"do": "move", "nodes": [2], "parent": 3})),
        [
            r#"{"idx": 1, "parent": 0, "type": "probility", "children": [3], "extra": {"prob": [1.5]}},"#,
            r#"{"idx": 2, "parent": 3, "type": "action", "children": [], "extra": {"action_name": "walk",  "own": 1.0}},"#,
            r#"{"idx": 3, "parent": 1, "type": "sequence", "children": [7, 2], "comment": "ä"},"#,
        ]
    );
    assert!(refusal(json!({"do": "move", "nodes": [1], "parent": 7})).contains("below it"));
    assert!(refusal(json!({"do": "move", "nodes": [7], "parent": 1, "at": 3})).contains("at most"));
}

const CHOICES: &str = r#"{
  "nodes": [
    {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "guard"}},
    {"idx": 1, "parent": 0, "type": "sequence", "children": [2, 6]},
    {"idx": 2, "parent": 1, "type": "switch", "children": [3, 4, 5], "extra": {"on": "$arm", "cases": ["bow", 1]}},
    {"idx": 3, "parent": 2, "type": "action", "children": [], "extra": {"action_name": "shoot"}},
    {"idx": 4, "parent": 2, "type": "action", "children": [], "extra": {"action_name": "hit"}},
    {"idx": 5, "parent": 2, "type": "action", "children": [], "extra": {"action_name": "flee"}},
    {"idx": 6, "parent": 1, "type": "utility", "children": [7, 8], "extra": {"scores": ["$hunger", "2 * $fear"]}},
    {"idx": 7, "parent": 6, "type": "action", "children": [], "extra": {"action_name": "eat"}},
    {"idx": 8, "parent": 6, "type": "action", "children": [], "extra": {"action_name": "run"}}
  ]
}
"#;

/// The lists of the switch and of the utility, as they are written after an edit.
fn choices(edit: Value) -> (String, String) {
    let after = edited(CHOICES, &edits(json!([edit]))).unwrap();
    let list = |key: &str| {
        let (_, rest) = after.split_once(&format!("\"{key}\": ")).unwrap();
        rest.split_once(']').unwrap().0.to_owned() + "]"
    };
    (list("cases"), list("scores"))
}

#[test]
fn cases_and_scores_stay_with_their_children() {
    let pair = |cases: &str, scores: &str| (cases.to_owned(), scores.to_owned());
    let scores = r#"["$hunger", "2 * $fear"]"#;
    let cases = r#"["bow", 1]"#;
    let moved = |node: u32, parent: u32, at: u32| {
        choices(json!({"do": "move", "nodes": [node], "parent": parent, "at": at}))
    };
    assert_eq!(moved(4, 2, 0), pair(r#"[1, "bow"]"#, scores));
    assert_eq!(moved(8, 6, 0), pair(cases, r#"["2 * $fear", "$hunger"]"#));
    // The default is the last child: one that is no longer the last gets a case of its own, and the last keeps its.
    assert_eq!(moved(5, 2, 1), pair(r#"["bow", "case 2", 1]"#, scores));
    assert_eq!(
        moved(3, 6, 1),
        pair("[1]", r#"["$hunger", "0", "2 * $fear"]"#)
    );
    let removed = choices(json!({"do": "remove", "nodes": [3, 7]}));
    assert_eq!(removed, pair("[1]", r#"["2 * $fear"]"#));
    let inserted = |parent: u32, at: u32| {
        let name = "whistle";
        choices(json!({"do": "insert", "parent": parent, "at": at, "kind": "action", "name": name}))
    };
    assert_eq!(inserted(2, 0), pair(r#"["case 1", "bow", 1]"#, scores));
    assert_eq!(inserted(2, 3), pair(r#"["bow", 1, "case 3"]"#, scores));
    assert_eq!(
        inserted(6, 2),
        pair(cases, r#"["$hunger", "2 * $fear", "0"]"#)
    );
    // Two children have no equal cases; equal scores are meant.
    let twice = choices(json!({"do": "duplicate", "nodes": [3]}));
    assert_eq!(twice, pair(r#"["bow", "case 2", 1]"#, scores));
    let twice = choices(json!({"do": "duplicate", "nodes": [7]}));
    assert_eq!(twice, pair(cases, r#"["$hunger", "$hunger", "2 * $fear"]"#));
    let made = edits(json!([{"do": "kind", "node": 1, "kind": "switch"}]));
    let made = edited(CHOICES, &made).unwrap();
    assert!(made.contains(r#""cases": ["case 1"]"#), "{made}");
}

#[test]
fn kind_keeps_children_and_the_keys_that_it_takes() {
    assert_eq!(
        changes(json!({"do": "kind", "node": 2, "kind": "condition"})),
        [
            r#"{"idx": 2, "parent": 1, "type": "condition", "children": [], "extra": {"action_name": "walk",  "own": 1.0}},"#
        ]
    );
    assert_eq!(
        changes(json!({"do": "kind", "node": 2, "kind": "sub_tree", "name": "rest.json"})),
        [
            r#"{"idx": 2, "parent": 1, "type": "sub_tree", "children": [], "extra": {"own": 1.0,  "sub_tree_name": "rest.json"}},"#
        ]
    );
    assert_eq!(
        changes(json!({"do": "kind", "node": 3, "kind": "probility"})),
        [
            r#"{"idx": 3, "parent": 1, "type": "probility", "children": [7], "comment": "ä", "extra": {"prob": [1]}},"#
        ]
    );
    assert!(refusal(json!({"do": "kind", "node": 3, "kind": "root"})).contains("no tree"));
}

#[test]
fn duplicate_copies_a_node_as_it_is_written_right_behind_it() {
    assert_eq!(
        changes(json!({"do": "duplicate", "nodes": [3, 7]})),
        [
            r#"{"idx": 1, "parent": 0, "type": "probility", "children": [2, 3, 8], "extra": {"prob": [0.50, 1.5, 1.5]}},"#,
            r#"{"idx": 7, "parent": 3, "type": "action", "children": [], "extra": {"action_name": "rest"}},"#,
            r#"{"idx": 8, "parent": 1, "type": "sequence", "children": [9], "comment": "ä"},"#,
            r#"{"idx": 9, "parent": 8, "type": "action", "children": [], "extra": {"action_name": "rest"}}"#,
        ]
    );
}

#[test]
fn values_are_set_unset_and_their_keys_renamed() {
    assert_eq!(
        changes(
            json!({"do": "set", "node": 2, "at": "/extra/action_args/0/arg_value", "value": " 1.50 "})
        ),
        [
            r#"{"idx": 2, "parent": 1, "type": "action", "children": [], "extra": {"action_args": [{"arg_value": 1.50}],  "action_name": "walk",  "own": 1.0}},"#
        ]
    );
    assert_eq!(
        changes(json!({"do": "set", "node": 3, "at": "/comment", "value": "\"ö\""})),
        [r#"{"idx": 3, "parent": 1, "type": "sequence", "children": [7], "comment": "ö"},"#]
    );
    assert_eq!(
        changes(json!({"do": "unset", "node": 2, "at": "/extra/own"})),
        [
            r#"{"idx": 2, "parent": 1, "type": "action", "children": [], "extra": {"action_name": "walk"}},"#
        ]
    );
    assert_eq!(
        changes(json!({"do": "key", "node": 2, "at": "/extra/own", "to": "mine"})),
        [
            r#"{"idx": 2, "parent": 1, "type": "action", "children": [], "extra": {"action_name": "walk",  "mine": 1.0}},"#
        ]
    );
    for (edit, why) in [
        (
            json!({"do": "set", "node": 2, "at": "", "value": "1"}),
            "pointer",
        ),
        (
            json!({"do": "set", "node": 2, "at": "/extra/own/deep", "value": "1"}),
            "nothing can be below",
        ),
        (
            json!({"do": "set", "node": 2, "at": "/comment", "value": "{"}),
            "is not JSON",
        ),
        (
            json!({"do": "set", "node": 2, "at": "/children/4", "value": "1"}),
            "no item",
        ),
        (
            json!({"do": "set", "node": 2, "at": "/idx", "value": "3"}),
            "no tree",
        ),
        (
            json!({"do": "unset", "node": 2, "at": "/extra/none"}),
            "nothing at",
        ),
        (
            json!({"do": "key", "node": 2, "at": "/extra/own", "to": "action_name"}),
            "already",
        ),
        (
            json!({"do": "key", "node": 1, "at": "/children/0", "to": "x"}),
            "array",
        ),
    ] {
        let found = refusal(edit.clone());
        assert!(found.contains(why), "{edit}: {found}");
    }
}

#[test]
fn nodes_are_pasted_as_the_others_are_written() {
    let text = r#"{"nodes": [{"idx": 5, "type": "negative", "children": [9], "comment": "x"}, {"idx": 9, "type": "action", "children": [], "extra": {"action_name": "a"}}]}"#;
    assert_eq!(
        changes(json!({"do": "paste", "parent": 3, "at": 0, "text": text}))[2..],
        [
            r#"{"idx": 8, "parent": 3, "type": "negative", "children": [9], "extra": {}, "comment": "x"},"#,
            r#"{"idx": 9, "parent": 8, "type": "action", "children": [], "extra": {"action_name": "a"}}"#,
        ]
    );
    for text in [
        "",
        "[]",
        "{}",
        "{\"nodes\": []}",
        "{\"nodes\": [7]}",
        "{\"nodes\": [{\"idx\": 1}]}",
        r#"{"nodes": [{"idx": 1, "type": "a", "children": [1]}]}"#,
        r#"{"nodes": [{"idx": 1, "type": "a", "children": [2]}]}"#,
        r#"{"nodes": [{"idx": 3, "type": "a"}, {"idx": 1, "type": "a", "children": [2]}, {"idx": 2, "type": "a", "children": [1]}]}"#,
        r#"{"nodes": [{"idx": 1, "type": "a"}, {"idx": 1, "type": "a"}]}"#,
        r#"{"nodes": [{"idx": 1, "type": "a", "children": [-1]}]}"#,
    ] {
        assert!(
            refusal(json!({"do": "paste", "parent": 3, "text": text})).contains("pasted"),
            "{text}"
        );
    }
}

#[test]
fn what_was_cut_keeps_its_numbers_unless_they_are_taken() {
    let tree = bt_core::TreeAsset::from_json("t.json", LINES).unwrap();
    let part = bt_studio::edit::fragment(&tree, LINES, &[3]).unwrap();
    let cut = edited(LINES, &edits(json!([{"do": "remove", "nodes": [3]}]))).unwrap();
    let paste = edits(json!([{"do": "paste", "parent": 1, "at": 0, "text": part, "keep": true}]));
    let numbers = |text: &str| -> Vec<u32> {
        let tree = bt_core::TreeAsset::from_json("t.json", text).unwrap();
        tree.preorder().map(|node| node.idx()).collect()
    };
    let before = numbers(LINES);
    let after = numbers(&edited(&cut, &paste).unwrap());
    assert_eq!(after.iter().max(), before.iter().max());
    assert_eq!(
        after.iter().collect::<std::collections::BTreeSet<_>>(),
        before.iter().collect()
    );
    // Where they were not cut, the copies have numbers of their own.
    let copied = numbers(&edited(LINES, &paste).unwrap());
    let all: std::collections::BTreeSet<_> = copied.iter().collect();
    assert_eq!(all.len(), copied.len());
    assert!(copied.len() > before.len());
}

#[test]
fn renumber_changes_numbers_and_nothing_else() {
    let mixed = edited(
        LINES,
        &edits(json!([{"do": "move", "nodes": [3], "parent": 1, "at": 0}])),
    )
    .unwrap();
    let after = edited(&mixed, &edits(json!([{"do": "renumber"}]))).unwrap();
    let lines: Vec<_> = after.lines().map(str::trim).skip(2).take(5).collect();
    assert_eq!(
        lines,
        [
            r#"{"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "guard"}},"#,
            r#"{"idx": 1, "parent": 0, "type": "probility", "children": [2, 4], "extra": {"prob": [1.5, 0.50]}},"#,
            r#"{"idx": 4, "parent": 1, "type": "action", "children": [], "extra": {"action_name": "walk",  "own": 1.0}},"#,
            r#"{"idx": 2, "parent": 1, "type": "sequence", "children": [3], "comment": "ä"},"#,
            r#"{"idx": 3, "parent": 2, "type": "action", "children": [], "extra": {"action_name": "rest"}}"#,
        ]
    );
}

#[test]
fn a_part_becomes_a_tree_and_a_tree_a_part() {
    let done = bt_studio::edit::edit(
        &bt_core::TreeAsset::from_json("t.json", LINES).unwrap(),
        LINES,
        &edits(json!([{"do": "extract", "node": 3, "path": "new.json"}])),
        &super::Alone,
    )
    .unwrap();
    let (path, text) = &done.trees[0];
    let tree = bt_core::TreeAsset::from_json(path, text).unwrap();
    let kinds: Vec<_> = tree
        .preorder()
        .map(|node| (node.idx(), node.kind.as_str()))
        .collect();
    assert_eq!(kinds, [(0, "root"), (1, "sequence"), (2, "action")]);
    assert_eq!(
        (tree.agent(), tree.node(1).unwrap().comment.as_str()),
        (Some("guard"), "ä")
    );
    let after = bt_meta::text::splices::apply(LINES, &done.splices);
    assert!(after.contains(r#"{"idx": 8, "parent": 1, "type": "sub_tree", "children": [], "extra": {"sub_tree_name": "new.json"}}"#));
    assert!(after.contains(r#""children": [2, 8], "extra": {"prob": [0.50, 1.5]}"#));

    let call = edits(json!([
        {"do": "kind", "node": 7, "kind": "sub_tree", "name": "rest.json"},
        {"do": "inline", "node": 7},
    ]));
    let after = edited(LINES, &call).unwrap();
    assert!(after.contains(r#""type": "sequence", "children": [8], "comment": "ä""#));
    assert!(after.contains(r#""extra": {"action_name": "rest"}"#));
    assert!(refusal(json!({"do": "inline", "node": 7})).contains("runs no tree"));
}

#[test]
fn several_edits_are_one_change_or_none() {
    let two = edits(json!([
        {"do": "insert", "parent": 3, "kind": "action", "name": "a"},
        {"do": "move", "nodes": [8], "parent": 1, "at": 0},
    ]));
    assert!(
        edited(LINES, &two)
            .unwrap()
            .contains(r#""children": [8, 2, 3]"#)
    );
    let refused = edits(json!([
        {"do": "insert", "parent": 3, "kind": "action", "name": "a"},
        {"do": "insert", "parent": 99, "kind": "action", "name": "a"},
    ]));
    assert_eq!(edited(LINES, &refused).unwrap_err(), "there is no node 99");
}

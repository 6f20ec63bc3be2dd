//! Tests of reading: what is accepted, and what is refused with which words.

use super::*;

fn check(nodes: &[&str], expected: &[&str]) {
    assert_eq!(problems(&file(nodes)), expected.join("\n"), "{nodes:?}");
}

#[test]
fn nodes_come_in_any_order_with_gaps_and_without_the_keys_that_have_defaults() {
    let text = file(&[
        "9 action 4",
        "4 sequence 30 20 9",
        "30 root - 4",
        "20 nonsense -",
    ]);
    let tree = TreeAsset::from_json("t", &text).unwrap();
    assert_eq!(shape(&tree), "30[4] 4[20 9] 20[] 9[]");
    let node = tree.node(20).unwrap();
    assert_eq!((node.kind.as_str(), node.parent()), ("nonsense", Some(4)));
    assert_eq!((node.comment.as_str(), node.color), ("", 0xffff_ffff));
    assert!(!node.is_collapsed && node.extra.is_empty() && node.others.is_empty());
    assert_eq!(tree.pointer(20).as_deref(), Some("/nodes/3"));
    assert!(tree.keys().is_empty() && tree.agent().is_none());
    assert_eq!((tree.tree_type(), tree.signature()), ("", ""));
}

#[test]
fn a_byte_order_mark_is_passed_over() {
    let text = format!("\u{feff}{}", file(&["0 root -"]));
    assert!(TreeAsset::from_slice("t", text.as_bytes()).is_ok());
    // Neither does it count as a column.
    let found = problems("\u{feff}x");
    assert!(found.starts_with("1:1: expected `{`"), "{found}");
}

#[test]
fn reader_refuses_invalid_utf8_at_its_place() {
    let error = TreeAsset::from_slice("t", b"{\n\"\xe6\x97\xa5\xff").unwrap_err();
    assert_eq!(
        error.to_string(),
        "t:2:3: byte 0xff is not UTF-8; save the file as UTF-8"
    );
}

#[test]
fn reader_refuses_invalid_json_and_other_json_at_its_place() {
    for (text, expected) in [
        (
            "",
            "1:1: the file is empty; a tree is a JSON object, `{\"nodes\": […]}`, or a script in a file whose name \
             ends in `.bt`",
        ),
        (
            "<root>",
            "1:1: expected `{`, with which a tree begins, found `<`; XML, as other engines have it, is not read",
        ),
        (
            "\n \0",
            "2:2: expected `{`, with which a tree begins, found `\\u{0}`; a script stands in a file whose name ends in \
             `.bt`; YAML is not read",
        ),
        (
            "nodes:\n",
            "1:1: expected `{`, with which a tree begins, found `n`; a script stands in a file whose name ends in \
             `.bt`; YAML is not read",
        ),
        (
            "[]",
            "1:1: expected `{`, with which a tree begins, found `[`; the list of nodes is the value of the key \
             `nodes`: `{\"nodes\": […]}`",
        ),
        (
            "{\"nodes\": [",
            "1:11: the text ends before the tree does; close what is open: a text by `\"`, a list by `]`, an object \
             by `}`",
        ),
        (
            "{\n \"日\": tru}",
            "2:10: expected a value; a value is a number, a text in `\"`, `true`, `false`, `null`, a list or an \
             object",
        ),
        (
            "{\"nodes\": []} 1",
            "1:15: expected the end of the file; a file holds one tree",
        ),
    ] {
        assert_eq!(problems(text), expected, "{text}");
    }
    let found = problems("{\"nodes\": {}}");
    // What serde_json says may change; where it says it is ours.
    assert!(found.starts_with("1:11: "), "{found}");
    assert_eq!(
        problems(r#"{"node": [], "name": 1}"#),
        " the key `nodes` is missing; did you mean `node`?\n1:22: `name`: expected text, found 1"
    );
}

#[test]
fn children_that_are_missing_or_repeated_are_refused() {
    check(
        &[
            "0 root - 1",
            "1 sequence 0 2 7 2 3",
            "2 action 1",
            "3 negative 1 2",
            "1 action -",
        ],
        &[
            "3:61: node 1: its child 7 is not in the file",
            "3:64: node 1: its child 2 is listed twice",
            "5:58: node 3: its child 2 is a child of node 1 too",
            "6:9: node 1: an earlier node of the file has the same `idx`",
        ],
    );
}

#[test]
fn a_parent_that_contradicts_the_children_is_refused() {
    check(
        &["0 root 1 1", "1 sequence 2 2 3", "2 action 1", "3 action -"],
        &[
            "2:38: node 0: the root has no parent, found 1",
            "3:42: node 1: its `parent` is 2, but it is a child of node 0",
        ],
    );
}

#[test]
fn nodes_that_nobody_lists_are_refused() {
    check(
        &[
            "0 root - 1",
            "1 action 0",
            "2 action 0",
            "3 action -",
            "4 action 9",
            "5 sequence 2 6",
            "6 action 5",
        ],
        &[
            "4:40: node 2: its `parent` is 0, which does not list it as a child; add 2 to the \
             `children` of node 0, or take the node out",
            "5:1: node 3: is nobody's child",
            "6:40: node 4: its `parent` is 9, which is not in the file",
            "7:42: node 5: its `parent` is 2, which does not list it as a child; add 5 to the \
             `children` of node 2, or take the node out",
        ],
    );
}

#[test]
fn cycles_are_refused_once_each() {
    check(
        &[
            "0 root - 1",
            "1 negative 0",
            "5 negative 3 2",
            "2 negative 5 3",
            "3 sequence 2 5",
            "4 negative 4 4",
        ],
        &[
            "5:57: node 2: is below itself: 2 -> 3 -> 5 -> 2",
            "7:57: node 4: is its own child",
        ],
    );
    check(
        &["0 root - 1", "1 negative 0 0"],
        &["3:58: node 1: its child 0 is the root"],
    );
    check(&["0 root - 0"], &["2:41: node 0: its child 0 is the root"]);
}

#[test]
fn a_tree_has_one_root() {
    check(&[], &["1:11: no node is of type `root`"]);
    check(
        &["0 Root - 1", "1 action 0"],
        &[
            "1:11: no node is of type `root`; the type of node 0, which is nobody's child, is \"Root\"",
        ],
    );
    check(
        &["0 root - 1", "1 root 0 2", "2 action 1", "3 root -"],
        &[
            "3:20: node 1: a second root: node 0 is the root",
            "5:20: node 3: a second root: node 0 is the root",
        ],
    );
}

#[test]
fn all_problems_are_reported_at_once() {
    let text = r#"{"name": 1, "extra": [], "tree_type": null, "signature": {}, "own": 0, "nodes": [
        {"idx": 0, "type": "root", "childs": [1]},
        {"idx": 1.0, "type": 7, "children": {}, "parent": -1, "comment": 0, "color": 4294967296},
        {"idx": -1, "type": "action", "children": [0, "1", 2.5, 99999999999]},
        {"idx": 2, "type": "x", "children": [], "is_collapsed": "no", "extra": null, "parent": null},
        [1], {"type": "y"}
    ]}"#;
    assert_eq!(
        problems(text),
        [
            "1:10: `name`: expected text, found 1",
            "1:22: `extra`: expected an object, found []",
            "1:39: `tree_type`: expected text, found null",
            "1:58: `signature`: expected text, found {}",
            "2:9: node 0: the key `children` is missing; did you mean `childs`?",
            "3:17: `idx`: expected a whole number from 0 to 4294967295, found 1.0",
            "3:30: `type`: expected text, found 7",
            "3:45: `children`: expected an array of `idx`, found {}",
            "3:59: `parent`: expected a whole number from 0 to 4294967295, found -1",
            "3:74: `comment`: expected text, found 0",
            "3:86: `color`: expected 0xRRGGBBAA as a whole number from 0 to 4294967295, found 4294967296",
            "4:17: `idx`: expected a whole number from 0 to 4294967295, found -1",
            "4:55: `children`: expected a whole number from 0 to 4294967295, found \"1\"",
            "4:60: `children`: expected a whole number from 0 to 4294967295, found 2.5",
            "4:65: `children`: expected a whole number from 0 to 4294967295, found 99999999999",
            "5:65: node 2: `is_collapsed`: expected true or false, found \"no\"",
            "5:80: node 2: `extra`: expected an object, found null",
            "5:96: node 2: `parent`: expected a whole number from 0 to 4294967295, found null",
            "6:9: expected a node, which is an object, found [1]",
            "6:14: the key `idx` is missing",
            "6:14: the key `children` is missing",
        ]
        .join("\n")
    );
}

#[test]
fn a_key_that_is_given_twice_is_refused() {
    let text = r#"{"a/b": 1, "nodes": [{"idx": 0, "type": "root", "children": [], "idx": 0,
        "extra": {"deep": [{"x": 1, "\u0078": 2}]}}], "a/b": 2}"#;
    assert_eq!(
        problems(text),
        "1:72: node 0: the key \"idx\" is given twice\n\
         2:47: node 0: the key \"x\" is given twice\n\
         2:62: the key \"a/b\" is given twice"
    );
    let twice = r#"{"nodes": [{"idx": 0, "type": "root", "children": []}], "nodes": []}"#;
    assert!(problems(twice).contains("the key \"nodes\" is given twice"));
}

#[test]
fn reader_ignores_what_node_kinds_require() {
    let text = r#"{"nodes": [
        {"idx": 0, "type": "root", "children": [1, 2], "extra": {"agent_name": 5}},
        {"idx": 1, "type": "action", "children": [3], "extra": {"action_args": "no"}},
        {"idx": 2, "type": "", "children": []}, {"idx": 3, "type": "parallel", "children": []}
    ]}"#;
    let tree = TreeAsset::from_json("t", text).unwrap();
    assert_eq!(tree.agent(), None);
    assert_eq!(shape(&tree), "0[1 2] 1[3] 3[] 2[]");
}

#[test]
fn tree_names_the_trees_that_it_runs() {
    let text = r#"{"nodes": [
        {"idx": 0, "type": "root", "children": [1], "extra": {"events": [{"event": "alarm", "tree": "flee.json"}]}},
        {"idx": 1, "type": "sequence", "children": [2, 3, 4], "extra": {}},
        {"idx": 2, "type": "sub_tree", "children": [], "extra": {"sub_tree_name": "eat.json"}},
        {"idx": 3, "type": "sub_tree", "children": [], "extra": {"disabled": true, "sub_tree_name": "rest.json"}},
        {"idx": 4, "type": "sub_tree", "children": [], "extra": {"name_key": "next"}}
    ]}"#;
    let tree = TreeAsset::from_json("day.json", text).unwrap();
    assert!(tree.runs().eq(["eat.json", "flee.json"]));
}

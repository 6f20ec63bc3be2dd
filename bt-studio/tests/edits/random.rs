//! Random edits: the file stays a tree, undoing all of them gives the bytes that it had, and what an edit is not about
//! is written as it was.

use std::collections::BTreeMap;
use std::fs;

use bt_core::TreeAsset;
use bt_meta::text::json::Json;
use bt_meta::text::splices::{Splice, apply};
use bt_studio::edit::{edit, fragment};
use bt_studio::protocol::Edit;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use super::{Alone, inverse, trees};

/// Numbers that look random, from a seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % sides.max(1) as u64).unwrap()
    }

    fn pick<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        &list[self.roll(list.len())]
    }
}

const KINDS: [&str; 8] = [
    "sequence",
    "select",
    "probility",
    "action",
    "negative",
    "sub_tree",
    "wait_event",
    "of no kind",
];

/// An edit that may be refused.
fn random_edit(tree: &TreeAsset, text: &str, dice: &mut Dice) -> Value {
    let all: Vec<u32> = tree.nodes().iter().map(|node| node.idx()).collect();
    let mut some = || -> Vec<u32> { (0..=dice.roll(3)).map(|_| *dice.pick(&all)).collect() };
    let nodes = some();
    let node = *dice.pick(&all);
    let children = tree.node(node).unwrap().children();
    let at = dice.roll(children.len() + 2);
    let at = json!(if at > children.len() { None } else { Some(at) });
    let kind = *dice.pick(&KINDS);
    let value = *dice.pick(&[
        "1.50",
        "\"ü😀\\n\"",
        "null",
        "[]",
        "{\"b\": [1, {\"c\": []}], \"a\": 1e3}",
    ]);
    let place = *dice.pick(&[
        "/comment",
        "/extra/own",
        "/extra/deep/er/0",
        "/extra/prob/-",
        "/type",
        "/extra",
    ]);
    match dice.roll(12) {
        0 => json!({"do": "insert", "parent": node, "at": at, "kind": kind, "extra": {"x": 1.5}}),
        1 => json!({"do": "insert", "parent": node, "at": at, "kind": "action", "name": "walk"}),
        2 if !children.is_empty() => {
            let first = dice.roll(children.len());
            let many = 1 + dice.roll(children.len() - first);
            json!({"do": "wrap", "nodes": children[first..first + many], "kind": kind})
        }
        3 => json!({"do": "remove", "nodes": [node]}),
        4 => json!({"do": "remove", "nodes": nodes, "keep_children": true}),
        5 => json!({"do": "move", "nodes": nodes, "parent": node, "at": at}),
        6 => json!({"do": "kind", "node": node, "kind": kind}),
        7 => json!({"do": "set", "node": node, "at": place, "value": value}),
        8 => json!({"do": "unset", "node": node, "at": place}),
        9 => match fragment(tree, text, &nodes) {
            Ok(text) => json!({"do": "paste", "parent": node, "at": at, "text": text}),
            Err(_) => json!({"do": "renumber"}),
        },
        10 => json!({"do": "duplicate", "nodes": nodes}),
        _ => json!({"do": "move", "nodes": [node], "parent": nodes[0]}),
    }
}

/// Each node as it is written, by its number; where numbers change by its place in the file.
fn written(text: &str, by_place: bool) -> BTreeMap<u64, String> {
    let json = Json::read(text).unwrap();
    let nodes = json.find(0, "/nodes").unwrap();
    let each = (0..).zip(&json.part(nodes).children).map(|(at, node)| {
        let idx = json
            .value(json.get(*node, "idx").unwrap())
            .as_u64()
            .unwrap();
        let key = if by_place { at } else { idx };
        (key, json.raw(*node).to_owned())
    });
    each.collect()
}

fn check(name: &str, text: &str, seed: u64, count: usize) {
    let mut dice = Dice(seed | 1);
    let mut undo: Vec<Vec<Splice>> = Vec::new();
    let mut now = text.to_owned();
    for _ in 0..count {
        let tree = TreeAsset::from_json(name, &now).unwrap();
        if tree.nodes().len() > 400 {
            break;
        }
        let said = random_edit(&tree, &now, &mut dice);
        let asked: Vec<Edit> = vec![serde_json::from_value(said.clone()).unwrap()];
        let Ok(done) = edit(&tree, &now, &asked, &Alone) else {
            continue;
        };
        let after = apply(&now, &done.splices);
        let _ =
            TreeAsset::from_json(name, &after).unwrap_or_else(|error| panic!("{said}: {error}"));
        undo.push(inverse(&now, &done.splices));
        let by_place = said["do"] == "renumber";
        let (before, since) = (written(&now, by_place), written(&after, by_place));
        for (idx, raw) in &before {
            let Some(new) = since.get(idx) else { continue };
            let value = |raw: &str| serde_json::from_str::<Value>(raw).unwrap();
            let same = value(raw) == value(new);
            assert!(
                !same || raw == new,
                "{said} writes node {idx} anew:\n{raw}\n{new}"
            );
        }
        now = after;
    }
    for splices in undo.iter().rev() {
        now = apply(&now, splices);
    }
    assert_eq!(now, text);
}

/// Trees laid out in other ways than the editor's.
fn laid_out(text: &str) -> Vec<String> {
    let value: Value = serde_json::from_str(text).unwrap();
    let tabs = text.replace("\n  ", "\n\t").replace("  ", "\t");
    let windows = text.replace('\n', "\r\n");
    vec![
        text.to_owned(),
        value.to_string(),
        format!("\u{feff}{text}"),
        tabs,
        windows,
        text.replace("\": ", "\" : "),
    ]
}

#[test]
fn random_edits_of_real_trees_keep_the_file_and_are_undone() {
    let mut runner = TestRunner::new(Config {
        cases: 24,
        failure_persistence: None,
        ..Config::default()
    });
    let mut all = Vec::new();
    for folder in [
        "examples/monster/trees",
        "examples/squad/trees",
        "tests/data/mosaic/btree",
    ] {
        for path in trees(folder) {
            let text = fs::read_to_string(&path).unwrap();
            all.extend(laid_out(&text));
        }
    }
    let all = &all;
    let cases = (0..all.len(), any::<u64>());
    runner
        .run(&cases, |(at, seed)| {
            check("t.json", &all[at], seed, 40);
            Ok(())
        })
        .unwrap();
}

/// A tree as somebody may have written it: numbers with gaps, nodes in any order, keys that nobody knows, kinds that
/// there are not, and a layout of its own.
fn random_tree(dice: &mut Dice) -> String {
    let count = 2 + dice.roll(30);
    let mut numbers: Vec<usize> = (0..count * 3).collect();
    let mut take = |dice: &mut Dice| numbers.swap_remove(dice.roll(numbers.len()));
    let idx: Vec<usize> = (0..count).map(|_| take(dice)).collect();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut parents: Vec<Option<usize>> = vec![None; count];
    children[0].push(1);
    parents[1] = Some(0);
    for (node, above) in parents.iter_mut().enumerate().skip(2) {
        let parent = 1 + dice.roll(node - 1);
        children[parent].push(node);
        *above = Some(parent);
    }
    let mut nodes: Vec<Value> = (0..count)
        .map(|node| {
            let below: Vec<usize> = children[node].iter().map(|child| idx[*child]).collect();
            let kind = if node == 0 {
                "root"
            } else {
                *dice.pick(&KINDS)
            };
            let mut map = json!({"idx": idx[node], "type": kind, "children": below});
            if kind == "probility" && dice.roll(2) == 0 {
                map["extra"] = json!({"prob": vec![1.5; below.len()], "own": "\u{1f600}"});
            }
            if let (Some(parent), true) = (parents[node], dice.roll(3) > 0) {
                map["parent"] = json!(idx[parent]);
            }
            for key in ["comment", "x-tool", "a/b~c"] {
                if dice.roll(3) == 0 {
                    map[key] = json!("ä\n\"");
                }
            }
            map
        })
        .collect();
    for at in (1..count).rev() {
        nodes.swap(at, dice.roll(at + 1));
    }
    let whole = json!({"nodes": nodes, "own": {"deep": [1, [2]]}, "name": "t.json"});
    match dice.roll(3) {
        0 => whole.to_string(),
        1 => format!("{whole:#}\n"),
        _ => {
            let lines: Vec<String> = nodes.iter().map(Value::to_string).collect();
            format!(
                "{{\t\"nodes\" :[\n\t{}\n],\r\n\"name\":\"t\" }}",
                lines.join(",\n\t")
            )
        }
    }
}

#[test]
fn random_edits_of_random_trees_keep_the_file_and_are_undone() {
    for seed in 1..=1_000_u64 {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let text = random_tree(&mut dice);
        let read = TreeAsset::from_json("t.json", &text);
        assert!(read.is_ok(), "{text}: {read:?}");
        check("t.json", &text, seed, 4);
    }
}

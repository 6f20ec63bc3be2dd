//! Copies of trees that the original's editor opens: of the example, and of what that editor does not know.

use std::collections::BTreeMap;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use bt_core::TreeAsset;
use bt_core::registry::catalogue::Catalogue;
use bt_meta::view_trees::copy;
use serde_json::{Map, Value, json};

use crate::common::sandbox::{Sandbox, run};

/// A kind that the original opens: between how many children it has there, and the keys of its `extra`.
struct Known {
    kind: String,
    children: RangeInclusive<usize>,
    keys: Vec<String>,
}

/// The files that the original's editor opens, from the page for those who come from it.
static KNOWN: LazyLock<Vec<Known>> = LazyLock::new(|| {
    let page = include_str!("../../../docs/src/from-the-original.md");
    let (_, table) = page.split_once("\n## What its editor opens\n").unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| `"));
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [kind, children, keys] = cells[..] else {
            panic!("{line}");
        };
        let (least, most) = children.split_once(" to ").unwrap();
        let names = |cell: &str| {
            let parts = cell.split('`').skip(1).step_by(2);
            parts.map(str::to_owned).collect::<Vec<_>>()
        };
        Known {
            kind: names(kind).remove(0),
            children: least.parse().unwrap()..=most.parse().unwrap(),
            keys: names(keys),
        }
    };
    rows.map(row).collect()
});

pub(crate) fn monster() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/monster")
}

pub(crate) fn catalogue() -> Catalogue {
    static READ: LazyLock<Catalogue> = LazyLock::new(|| {
        let text = fs::read_to_string(monster().join("editor/agents.json")).unwrap();
        serde_json::from_str(&text).unwrap()
    });
    READ.clone()
}

/// The number of arguments of each action of the example's agents.
fn arguments() -> Map<String, Value> {
    let text = fs::read_to_string(monster().join("editor/action_types.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn has_an_object(value: &Value) -> bool {
    match value {
        Value::Object(_) => true,
        Value::Array(items) => items.iter().any(has_an_object),
        _ => false,
    }
}

/// Checks a file as the original does, for an agent with these actions.
fn check(text: &str, actions: &Map<String, Value>) {
    let tree: Value = serde_json::from_str(text).unwrap();
    let mut keys: Vec<_> = tree.as_object().unwrap().keys().collect();
    keys.sort();
    assert_eq!(keys, ["extra", "name", "nodes", "signature", "tree_type"]);
    let nodes = tree["nodes"].as_array().unwrap();
    let agent = &nodes[0]["extra"]["agent_name"];
    for node in nodes {
        let kind = node["type"].as_str().unwrap();
        let known = KNOWN.iter().find(|known| known.kind == kind);
        let known = known.unwrap_or_else(|| panic!("{node}"));
        let children = node["children"].as_array().unwrap().len();
        assert!(known.children.contains(&children), "{node}");
        assert_eq!(node.get("parent").is_none(), kind == "root", "{node}");
        for key in ["comment", "color", "is_collapsed", "idx"] {
            assert!(node.get(key).is_some(), "{node} has no {key}");
        }
        let extra = node["extra"].as_object().unwrap();
        let keys = extra.keys();
        assert!(keys.clone().all(|key| known.keys.contains(key)), "{node}");
        assert_eq!(keys.len(), known.keys.len(), "{node}");
        if kind == "action" {
            let action = &actions[agent.as_str().unwrap()][extra["action_name"].as_str().unwrap()];
            let args = extra["action_args"].as_array().unwrap();
            assert_eq!(
                args.len(),
                action["args"].as_array().map_or(usize::MAX, Vec::len),
                "{node}"
            );
            for arg in args {
                assert_eq!(arg.as_object().unwrap().len(), 2, "{arg}");
                assert!(
                    arg["arg_type"] == "plain" || arg["arg_value"].is_string(),
                    "{arg}"
                );
                assert!(["plain", "blackboard"].contains(&arg["arg_type"].as_str().unwrap()));
                assert!(!has_an_object(&arg["arg_value"]), "{arg}");
            }
        }
        if kind == "probility" {
            let weights = extra["prob"].as_array().unwrap();
            assert!(weights.iter().all(Value::is_u64), "{node}");
            assert_eq!(weights.len(), children, "{node}");
        }
    }
}

fn numbers(tree: &Value) -> BTreeMap<u64, Value> {
    let nodes = tree["nodes"].as_array().unwrap().iter();
    nodes
        .map(|node| (node["idx"].as_u64().unwrap(), node["children"].clone()))
        .collect()
}

#[test]
fn copies_of_the_examples_trees_are_what_the_original_takes() {
    let (catalogue, actions) = (catalogue(), arguments());
    let mut copied = 0;
    for file in fs::read_dir(monster().join("trees")).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "json") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        let tree = TreeAsset::from_json(name, &text).unwrap();
        let view = copy(&catalogue, &tree).unwrap();
        check(&view, &actions);
        let (before, after): (Value, Value) = (
            serde_json::from_str(&text).unwrap(),
            serde_json::from_str(&view).unwrap(),
        );
        assert_eq!(after["name"], before["name"]);
        assert_eq!(numbers(&after), numbers(&before));
        let root = after["nodes"][0]["comment"].as_str().unwrap();
        assert!(
            root.contains("`bt-meta merge-view` brings edits back"),
            "{root}"
        );
        copied += 1;
    }
    assert_eq!(copied, 5);
}

/// As the catalogue of kinds has it, from which `node_types.json` for that editor is made.
#[test]
fn page_lists_the_kinds_that_the_original_opens() {
    let table = bt_core::kinds::node_kinds().into_iter();
    let table = table.filter_map(|kind| {
        let kind = bt_core::kinds::Kind::named(&kind.name)?;
        let [least, most] = kind.about().original?;
        Some((kind.name().to_owned(), least as usize..=most as usize))
    });
    for known in KNOWN.iter() {
        let kind = bt_core::kinds::Kind::named(&known.kind).unwrap();
        assert_eq!(
            known.keys,
            bt_meta::view_trees::kept(kind),
            "{}",
            known.kind
        );
    }
    let listed = KNOWN.iter();
    let listed = listed.map(|known| (known.kind.clone(), known.children.clone()));
    assert_eq!(
        listed.collect::<BTreeMap<_, _>>(),
        table.collect::<BTreeMap<_, _>>()
    );
}

#[test]
fn export_writes_a_copy_of_each_tree_and_leaves_the_trees() {
    let sandbox = Sandbox::new();
    for file in fs::read_dir(monster().join("trees")).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "json") {
            continue;
        }
        let name = path.file_name().unwrap().to_str().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        sandbox.file(&format!("trees/deep/{name}"), &text);
    }
    let agents = monster().join("editor/agents.json");
    let agents = agents.to_str().unwrap();
    let export = ["export", "--catalogue", agents, "--out-dir", "editor"];
    let views = ["--view-trees", "copies", "--trees", "trees"];
    let ran = run(&mut sandbox.command(".", [&export[..], &views].concat())).done();
    assert!(
        ran.out.ends_with("\ncopied 5 trees into copies\n"),
        "{}",
        ran.out
    );
    let actions = sandbox.read("editor/action_types.json");
    let actions: Map<String, Value> = serde_json::from_str(&actions).unwrap();
    for file in fs::read_dir(monster().join("trees")).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "json") {
            continue;
        }
        let name = format!("deep/{}", path.file_name().unwrap().to_str().unwrap());
        let text = fs::read_to_string(&path).unwrap();
        let tree = TreeAsset::from_json(&name, &text).unwrap().with_name(&name);
        let view = sandbox.read(&format!("copies/{name}"));
        check(&view, &actions);
        assert_eq!(view, copy(&catalogue(), &tree).unwrap());
        assert_eq!(sandbox.read(&format!("trees/{name}")), text);
    }
    // What is exported besides is what it is without copies.
    let found = sandbox.read("editor/agents.json");
    assert_eq!(found, fs::read_to_string(agents).unwrap());
}

fn tree(top: &[Value]) -> TreeAsset {
    let mut nodes = vec![json!({"idx": 0, "type": "root", "children": [1],
        "extra": {"agent_name": "monster_agent", "blackboard": {"prey": {"type": "uint64"}}}})];
    nodes.extend_from_slice(top);
    let text = json!({"name": "t.json", "nodes": nodes}).to_string();
    TreeAsset::from_json("t.json", &text).unwrap()
}

fn view(top: &[Value]) -> Value {
    let text = copy(&catalogue(), &tree(top)).unwrap();
    check(&text, &arguments());
    let view: Value = serde_json::from_str(&text).unwrap();
    view["nodes"].clone()
}

#[test]
fn copy_of_an_action_has_every_argument_in_order_and_by_its_default() {
    let target = json!({"arg_type": "property", "arg_value": "target", "arg_name": "target"});
    let extra = json!({"action_name": "approach", "action_args": [target]});
    let nodes =
        view(&[json!({"idx": 1, "parent": 0, "type": "action", "children": [], "extra": extra})]);
    assert_eq!(
        nodes[1]["extra"],
        json!({"action_name": "approach", "action_args": [
            {"arg_type": "blackboard", "arg_value": "target"},
            {"arg_type": "plain", "arg_value": 1.5},
        ]})
    );
}

#[test]
fn copy_says_in_a_comment_what_the_original_does_not_know() {
    let guard =
        json!({"condition_name": "is_far_from_home", "condition_args": [], "abort": "self"});
    let nodes = view(&[
        json!({"idx": 1, "parent": 0, "type": "probility", "children": [2, 5], "extra": {"prob": [0.5, 1.25]}}),
        json!({"idx": 2, "parent": 1, "type": "timeout", "children": [3], "comment": "Soon.",
               "extra": {"seconds": 4.5, "guards": [guard]}}),
        json!({"idx": 3, "parent": 2, "type": "reactive_select", "children": [4], "extra": {}}),
        json!({"idx": 4, "parent": 3, "type": "condition", "children": [],
               "extra": {"action_name": "is_far_from_home", "action_args": []}}),
        json!({"idx": 5, "parent": 1, "type": "always_running", "children": [], "extra": {}}),
    ]);
    let kinds: Vec<_> = nodes
        .as_array()
        .unwrap()
        .iter()
        .map(|node| &node["type"])
        .collect();
    let expected = [
        "root",
        "probility",
        "always_true",
        "select",
        "action",
        "action",
    ];
    assert_eq!(kinds, expected);
    assert_eq!(nodes[1]["extra"]["prob"], json!([500, 1250]));
    assert_eq!(nodes[5]["extra"]["action_name"], "nop");
    let comment = nodes[2]["comment"].as_str().unwrap();
    for part in ["[timeout]", "4.5", "is_far_from_home, aborts self", "Soon."] {
        assert!(comment.contains(part), "{comment}");
    }
    assert!(
        nodes[0]["comment"]
            .as_str()
            .unwrap()
            .contains("$prey: uint64")
    );
}

//! A part that becomes a tree, and a tree that becomes a part: what belongs to the place stays there.

use std::cell::RefCell;
use std::collections::BTreeMap;

use bt_core::TreeAsset;
use bt_core::tree::asset::Fix;
use bt_core::tree::by_either_name;
use bt_meta::text::splices::apply;
use bt_studio::edit::{Around, edit};
use serde_json::{Value, json};

/// A project whose trees are those that edits made.
#[derive(Default)]
struct Project(RefCell<BTreeMap<String, String>>);

impl Around for Project {
    fn fix(&self, _: &str, _: &str, _: &str) -> Option<Fix> {
        None
    }

    fn tree(&self, name: &str) -> Option<TreeAsset> {
        by_either_name(name, |name| {
            let text = self.0.borrow().get(name)?.clone();
            TreeAsset::from_json(name, &text).ok()
        })
    }

    fn new_tree(&self, path: &str) -> Result<String, String> {
        Ok(path.to_owned())
    }
}

impl Project {
    fn with(trees: &[(&str, &Value)]) -> Project {
        let all = trees
            .iter()
            .map(|(name, tree)| ((*name).to_owned(), tree.to_string()));
        Project(RefCell::new(all.collect()))
    }

    /// Makes an edit of a tree; the tree afterwards.
    fn edit(&self, tree: &Value, one: Value) -> Result<Value, String> {
        let text = format!("{tree:#}");
        let asset = TreeAsset::from_json("t.json", &text).unwrap();
        let edits: Vec<bt_studio::protocol::Edit> = serde_json::from_value(json!([one])).unwrap();
        let done = edit(&asset, &text, &edits, self)?;
        self.0.borrow_mut().extend(done.trees);
        let after = apply(&text, &done.splices);
        Ok(serde_json::from_str(&after).unwrap())
    }

    fn extract(&self, tree: &Value, node: u32) -> Result<(Value, Value), String> {
        let after = self.edit(
            tree,
            json!({"do": "extract", "node": node, "path": "new.json"}),
        )?;
        let new = serde_json::from_str(&self.0.borrow()["new.json"]).unwrap();
        Ok((after, new))
    }

    fn inline(&self, tree: &Value, node: u32) -> Result<Value, String> {
        self.edit(tree, json!({"do": "inline", "node": node}))
    }
}

fn node(idx: u32, kind: &str, children: &[u32], extra: Value) -> Value {
    json!({"idx": idx, "type": kind, "children": children, "extra": extra})
}

fn key(name: &str) -> Value {
    json!({"arg_type": "blackboard", "arg_value": name})
}

fn plain(value: impl Into<Value>) -> Value {
    json!({"arg_type": "plain", "arg_value": value.into()})
}

/// A node of a tree.
fn at(tree: &Value, idx: u32) -> &Value {
    let mut all = tree["nodes"].as_array().unwrap().iter();
    all.find(|node| node["idx"] == idx).unwrap()
}

/// The node of a kind.
fn one<'t>(tree: &'t Value, kind: &str) -> &'t Value {
    let mut all = tree["nodes"].as_array().unwrap().iter();
    all.find(|node| node["type"] == kind).unwrap()
}

/// A guarded part that reads a key of one run of the tree, and one of the agent.
fn tree() -> Value {
    json!({"nodes": [
        node(0, "root", &[1], json!({"agent_name": "guard", "blackboard": {
            "mine": {"type": "int32", "initial": 1, "scope": "tree"},
            "ours": {"type": "int32"},
            "other": {"type": "int32", "scope": "tree"},
        }})),
        node(1, "select", &[2, 4], json!({})),
        node(2, "sequence", &[3], json!({
            "guards": [{"condition_name": "near", "condition_args": [key("other")], "abort": "lower"}],
            "effects": {"enter": [{"action_name": "bark", "action_args": []}]},
            "services": [{"seconds": 1, "action_name": "look", "action_args": []}],
            "events": [{"event": "stick", "tree": "fetch.json"}],
            "blackboard": {"own": {"type": "int32", "initial": 7}},
            "disabled": true,
        })),
        node(3, "action", &[], json!({"action_name": "compare_key", "action_args": [key("ours"), key("own")]})),
        node(4, "action", &[], json!({"action_name": "rest"})),
    ]})
}

#[test]
fn extract_leaves_what_belongs_to_the_place_with_the_caller() {
    let project = Project::default();
    let (after, new) = project.extract(&tree(), 2).unwrap();
    let call = one(&after, "sub_tree");
    let before = tree();
    for key in ["guards", "effects", "services", "events", "disabled"] {
        assert_eq!(call["extra"][key], at(&before, 2)["extra"][key], "{key}");
        assert_eq!(at(&new, 1)["extra"].get(key), None, "{key}");
    }
    assert_eq!(at(&after, 1)["children"], json!([call["idx"], 4]));
    assert_eq!(call["extra"].get("args"), None);
    // The node's own key is one of each run of the new tree; that of the agent is declared alike.
    assert_eq!(
        at(&new, 0)["extra"]["blackboard"],
        json!({"own": {"type": "int32", "initial": 7, "scope": "tree"}, "ours": {"type": "int32"}})
    );
}

#[test]
fn extract_hands_over_the_keys_that_the_part_reads() {
    let mut tree = tree();
    tree["nodes"][3]["extra"] = json!({"action_name": "wait", "action_args": []});
    tree["nodes"][3]["extra"]["guards"] = json!([{"condition_name": "near", "condition_args": []}]);
    // A key that names the tree is only read.
    tree["nodes"][3] = node(3, "sub_tree", &[], json!({"name_key": "mine"}));
    let project = Project::default();
    let (after, new) = project.extract(&tree, 2).unwrap();
    let call = one(&after, "sub_tree");
    assert_eq!(call["extra"]["args"], json!({"mine": key("mine")}));
    assert_eq!(
        at(&new, 0)["extra"]["blackboard"]["mine"],
        json!({"type": "int32", "scope": "tree"})
    );
}

#[test]
fn extract_hands_over_the_keys_that_expressions_read() {
    let mut tree = tree();
    tree["nodes"][3] = node(3, "check", &[], json!({"if": "$mine < 3 && $ours > 0"}));
    let (after, new) = Project::default().extract(&tree, 2).unwrap();
    assert_eq!(
        one(&after, "sub_tree")["extra"]["args"],
        json!({"mine": key("mine")})
    );
    assert_eq!(
        at(&new, 0)["extra"]["blackboard"]["ours"],
        json!({"type": "int32"})
    );
}

#[test]
fn extract_is_refused_where_a_called_tree_could_not_write_back() {
    let mut tree = tree();
    tree["nodes"][3]["extra"]["action_args"] = json!([key("mine")]);
    let why = Project::default().extract(&tree, 2).unwrap_err();
    assert!(why.starts_with("node 3 may write key `mine`"), "{why}");
    assert!(why.contains("scope `agent`"), "{why}");
}

#[test]
fn inline_is_the_inverse_of_extract_also_where_the_tree_was_never_saved() {
    for node in [2, 3] {
        let mut tree = tree();
        tree["nodes"][0]["extra"]["blackboard"] = json!({"ours": {"type": "int32"}});
        tree["nodes"][2]["extra"]["guards"][0]["condition_args"] = json!([key("ours")]);
        tree["nodes"][3]["extra"]["action_args"] = json!([key("ours")]);
        let project = Project::default();
        let (after, _) = project
            .extract(&tree, node)
            .unwrap_or_else(|why| panic!("{why}"));
        let call = one(&after, "sub_tree")["idx"].as_u64().unwrap() as u32;
        let back = project.inline(&after, call).unwrap();
        let said = |tree: &Value| {
            let asset = TreeAsset::from_json("t.json", &tree.to_string()).unwrap();
            let nodes = asset.preorder();
            nodes
                .map(|node| {
                    (
                        node.kind.as_str().to_owned(),
                        Value::Object(node.extra.clone()),
                    )
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(said(&back), said(&tree), "node {node}");
    }
}

/// A tree that calls another one.
fn caller(extra: Value) -> Value {
    let mut call = json!({"sub_tree_name": "new.json"});
    call.as_object_mut()
        .unwrap()
        .extend(extra.as_object().unwrap().clone());
    json!({"nodes": [
        node(0, "root", &[1], json!({"agent_name": "guard", "blackboard": {"here": {"type": "int32", "scope": "tree"}}})),
        node(1, "select", &[2], json!({})),
        node(2, "sub_tree", &[], call),
    ]})
}

fn called(declared: Value, top: Value) -> Value {
    json!({"nodes": [
        node(0, "root", &[1], json!({"agent_name": "guard", "blackboard": declared})),
        node(1, "action", &[], top),
    ]})
}

#[test]
fn inline_writes_what_is_handed_over_before_the_part() {
    let new = called(
        json!({"far": {"type": "int32", "scope": "tree"}, "loud": {"type": "bool"}}),
        json!({"action_name": "walk", "action_args": [key("far")]}),
    );
    let project = Project::with(&[("new.json", &new)]);
    let args = json!({"args": {"far": key("here"), "loud": plain(true)}});
    let after = project.inline(&caller(args), 2).unwrap();
    let around = one(&after, "sequence");
    assert_eq!(
        around["extra"]["blackboard"],
        json!({"far": {"type": "int32"}})
    );
    let first = &around["children"].as_array().unwrap()[..2];
    let calls: Vec<_> = first
        .iter()
        .map(|idx| at(&after, idx.as_u64().unwrap() as u32)["extra"].clone())
        .collect();
    assert_eq!(
        calls,
        [
            json!({"action_name": "copy_key", "action_args": [plain("here"), plain("far")]}),
            json!({"action_name": "set_key_value", "action_args": [plain("loud"), plain(true)]}),
        ]
    );
    assert_eq!(
        at(&after, 0)["extra"]["blackboard"]["loud"],
        json!({"type": "bool"})
    );
}

#[test]
fn inline_refuses_a_call_that_takes_results() {
    let new = called(
        json!({"far": {"type": "int32", "scope": "tree"}}),
        json!({"action_name": "walk", "action_args": []}),
    );
    let project = Project::with(&[("new.json", &new)]);
    let why = project
        .inline(&caller(json!({"results": {"far": "here"}})), 2)
        .unwrap_err();
    assert!(
        why.contains("node 2 takes results of `new.json` when that has ended"),
        "{why}"
    );
}

#[test]
fn inline_writes_the_value_of_an_expression_that_is_handed_over() {
    let new = called(
        json!({"far": {"type": "int32", "scope": "tree"}}),
        json!({"action_name": "walk", "action_args": [key("far")]}),
    );
    let project = Project::with(&[("new.json", &new)]);
    let given = |text: &str| json!({"arg_type": "expression", "arg_value": text});
    let with = |text: &str| caller(json!({"args": {"far": given(text)}}));
    let after = project.inline(&with("$here + 1"), 2).unwrap();
    let first = one(&after, "sequence")["children"][0].as_u64().unwrap() as u32;
    assert_eq!(
        at(&after, first)["extra"],
        json!({"action_name": "set_key_value", "action_args": [plain("far"), given("$here + 1")]})
    );
    // There it would read its own key.
    let why = project.inline(&with("$far + 1"), 2).unwrap_err();
    assert!(
        why.contains("node 2 computes key `far` from key `far`"),
        "{why}"
    );
}

#[test]
fn inline_keeps_both_guards_apart() {
    let guard = |name: &str| json!([{"condition_name": name, "condition_args": []}]);
    let new = called(
        json!({}),
        json!({"action_name": "walk", "guards": guard("inner")}),
    );
    let project = Project::with(&[("new.json", &new)]);
    let after = project
        .inline(&caller(json!({"guards": guard("outer")})), 2)
        .unwrap();
    assert_eq!(one(&after, "sequence")["extra"]["guards"], guard("outer"));
    assert_eq!(one(&after, "action")["extra"]["guards"], guard("inner"));
}

#[test]
fn inline_says_why_not() {
    let plain_tree = called(json!({}), json!({"action_name": "walk"}));
    let agents = called(
        json!({}),
        json!({"action_name": "walk", "action_args": [key("here")]}),
    );
    let property = json!({"arg_type": "property", "arg_value": "trust"});
    let own = called(
        json!({"here": {"type": "int32", "scope": "tree"}}),
        json!({"action_name": "walk", "action_args": [key("here")]}),
    );
    for (new, extra, why) in [
        (
            &plain_tree,
            json!({"mode": "transfer"}),
            "does not come back",
        ),
        (
            &plain_tree,
            json!({"args": {"x": plain(1)}}),
            "does not declare",
        ),
        (
            &agents,
            json!({}),
            "is the agent's in `new.json`, and another one here",
        ),
        (
            &own,
            json!({"args": {"here": key("here")}}),
            "of the same name",
        ),
        (&own, json!({"args": {"here": property}}), "a property"),
    ] {
        let project = Project::with(&[("new.json", new)]);
        let found = project.inline(&caller(extra), 2).unwrap_err();
        assert!(found.contains(why), "{found}");
    }
    let found = Project::default()
        .inline(&caller(json!({})), 2)
        .unwrap_err();
    assert!(found.contains("there is no tree `new.json`"), "{found}");
}

//! The JSON Schema of tree files, and the check that the runtime makes, asked of one tree.

use bt_core::registry::catalogue::Catalogue;
use bt_core::tree::check::{Rules, check};
use bt_core::{Registry, TreeAsset};
use bt_meta::formats::{Format, render};
use bt_meta::layout::Options;
use jsonschema::Validator;
use serde_json::{Value, json};

use super::samples::with;

pub fn schema(catalogue: &Catalogue) -> Value {
    let files = render(catalogue, &Options::default(), &[Format::JsonSchema]);
    serde_json::from_str(&files.unwrap().files[0].text).unwrap()
}

/// The schema of the zoo, and the runtime's check.
pub struct Both {
    schema: Validator,
    registry: Registry,
}

impl Both {
    pub fn of(catalogue: &Catalogue) -> Both {
        let schema = schema(catalogue);
        jsonschema::meta::validate(&schema).unwrap();
        Both {
            schema: jsonschema::draft202012::new(&schema).unwrap(),
            registry: Registry::from_catalogue(catalogue.clone()).unwrap(),
        }
    }

    /// The findings of the schema, with their places.
    pub fn schema_says(&self, tree: &Value) -> Vec<String> {
        let errors = self.schema.iter_errors(tree);
        errors
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect()
    }

    pub fn check_says(&self, tree: &Value) -> Vec<String> {
        let bytes = serde_json::to_vec(tree).unwrap();
        match TreeAsset::from_slice("t.json", &bytes) {
            Err(error) => error.problems().iter().map(ToString::to_string).collect(),
            Ok(tree) => {
                let found = check(&[tree], &self.registry, &Rules::default());
                found.problems.iter().map(ToString::to_string).collect()
            }
        }
    }
}

/// A root above a node, which has a leaf below it if it takes one child.
pub fn tree(agent: &str, node: Value) -> Value {
    let mut node = with(json!({"idx": 1, "parent": 0, "children": []}), node);
    let mut nodes =
        vec![json!({"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": agent}})];
    if node["children"] == json!("leaf") {
        node["children"] = json!([2]);
        nodes.push(json!({"idx": 2, "parent": 1, "type": "action", "children": [], "extra": {"action_name": "nop"}}));
    }
    nodes.insert(1, node);
    json!({"name": "t.json", "nodes": nodes})
}

pub fn keepers(node: Value) -> Value {
    tree("keeper", node)
}

pub fn call(name: &str, args: Value) -> Value {
    json!({"type": "action", "extra": {"action_name": name, "action_args": args}})
}

pub fn plain(value: Value) -> Value {
    json!({"arg_type": "plain", "arg_value": value})
}

pub fn key(name: &str) -> Value {
    json!({"arg_type": "blackboard", "arg_value": name})
}

pub fn named(name: &str, arg: Value) -> Value {
    with(arg, json!({"arg_name": name}))
}

pub fn attached(extra: Value) -> Value {
    let extra = with(json!({"action_name": "nop"}), extra);
    json!({"type": "action", "extra": extra})
}

pub fn below(kind: &str, extra: Value) -> Value {
    json!({"type": kind, "children": "leaf", "extra": extra})
}

pub fn with_root(extra: Value) -> Value {
    let mut tree = keepers(attached(json!({})));
    let root = with(json!({"agent_name": "keeper"}), extra);
    tree["nodes"][0]["extra"] = root;
    tree
}

//! Catalogues made by hand.

use bt_core::kinds::{node_defs, node_kinds};
use bt_core::registry::catalogue::Catalogue;
use serde_json::{Value, json};

/// A catalogue of these agents, with bt-core's node kinds.
pub fn catalogue(agents: Vec<Value>) -> Catalogue {
    let crates = json!([{"package": "my-game", "name": "my_game"}]);
    let document =
        json!({"schema_version": 1, "bt_core": "0.1.0", "crates": crates, "agents": agents});
    let mut catalogue: Catalogue = serde_json::from_value(document).unwrap();
    catalogue.node_kinds = node_kinds();
    catalogue.defs = node_defs();
    catalogue
}

/// An agent; a name with a namespace is written `space::name`.
pub fn agent(full_name: &str, base: Option<&str>, methods: Vec<Value>) -> Value {
    let (namespace, name) = match full_name.rsplit_once("::") {
        Some((namespace, name)) => (Some(namespace), name),
        None => (None, full_name),
    };
    let of = |kind: &str| -> Vec<&Value> {
        methods
            .iter()
            .filter(|method| method["kind"] == kind)
            .collect()
    };
    with(
        item(name, "An agent."),
        json!({
            "full_name": full_name, "namespace": namespace, "base": base,
            "actions": of("action"), "conditions": of("condition"), "queries": of("query"),
            "decorators": of("decorator"),
        }),
    )
}

/// An action without arguments.
pub fn action(name: &str, brief: &str) -> Value {
    method("action", name, brief, vec![])
}

/// `nop`, as the built-in agent has it.
pub fn nop() -> Value {
    action("nop", "Does nothing.")
}

pub fn method(kind: &str, name: &str, brief: &str, args: Vec<Value>) -> Value {
    with(
        item(name, brief),
        json!({"kind": kind, "result": "bool", "returns": "always true", "args": args}),
    )
}

pub fn arg(name: &str, type_name: &str) -> Value {
    json!({"name": name, "type": type_name, "comment": "What it is.", "schema": true})
}

/// The first with the keys of the second.
pub fn with(mut value: Value, more: Value) -> Value {
    let keys = more.as_object().unwrap().clone();
    value.as_object_mut().unwrap().extend(keys);
    value
}

fn item(name: &str, brief: &str) -> Value {
    json!({"name": name, "brief": brief, "crate": "my-game", "file": "src/lib.rs", "line": 7})
}

//! The guard of the tests, and its tree.

use serde_json::{Value, json};

use crate::catalogue::Catalogue;

pub(super) fn catalogue() -> Catalogue {
    let place = json!({"brief": "", "crate": "game", "file": "src/lib.rs", "line": 1});
    let item = |name: &str, more: Value| {
        let mut item = place.as_object().unwrap().clone();
        item.insert("name".to_owned(), json!(name));
        item.extend(more.as_object().unwrap().clone());
        Value::Object(item)
    };
    let target = json!({"name": "target", "type": "uint64", "schema": {"type": "integer", "format": "uint64", "minimum": 0}});
    let walk = json!({"kind": "action", "result": "async", "async": true, "args": [target]});
    let sees = json!({"kind": "condition", "result": "bool", "args": []});
    let hp =
        json!({"type": "uint32", "schema": {"type": "integer", "format": "uint32", "minimum": 0}});
    let guard = json!({"full_name": "guard", "base": "action_agent", "events": [],
        "actions": [item("walk_to", walk)], "conditions": [item("sees_enemy", sees)],
        "properties": [item("hp", hp)]});
    let base = item("action_agent", json!({"full_name": "action_agent"}));
    let all = json!({"schema_version": 1, "agents": [base, item("guard", guard)]});
    serde_json::from_value(all).unwrap()
}

/// A guard walks to 7 once it sees an enemy; then its health counts.
pub(super) fn hunt() -> Value {
    let call = |name: &str, args: Value| json!({"action_name": name, "action_args": args});
    let target = json!([{"arg_type": "plain", "arg_value": 7}]);
    json!({"nodes": [
        {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "guard"}},
        {"idx": 1, "type": "sequence", "children": [2, 3, 4], "extra": {}},
        {"idx": 2, "type": "condition", "children": [], "extra": call("sees_enemy", json!([]))},
        {"idx": 3, "type": "action", "children": [], "extra": call("walk_to", target)},
        {"idx": 4, "type": "check", "children": [], "extra": {"if": "@hp < 50"}},
    ]})
}

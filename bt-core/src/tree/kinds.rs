//! The node kinds that trees are made of: names, groups, child counts and parameters.
//!
//! One table, in the order in which an editor offers them; the exporter and the checker read it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rustc_hash::FxHashSet;
use serde_json::{Map, Value, json};

use crate::registry::catalogue::NodeKindEntry;

/// One row of the table; [`NodeKindEntry`] says what the columns mean.
struct Row {
    name: &'static str,
    group: &'static str,
    children: (u32, Option<u32>),
    original: Option<[u32; 2]>,
    brief: &'static str,
}

const fn row(
    name: &'static str,
    group: &'static str,
    children: (u32, Option<u32>),
    original: Option<[u32; 2]>,
    brief: &'static str,
) -> Row {
    Row {
        name,
        group,
        children,
        original,
        brief,
    }
}

const NONE: (u32, Option<u32>) = (0, Some(0));
const ONE: (u32, Option<u32>) = (1, Some(1));
const SOME: (u32, Option<u32>) = (1, None);

/// Every kind, under the name that files use.
#[rustfmt::skip]
const TABLE: &[Row] = &[
    row("root", "root", ONE, Some([0, 1]), "where a tree begins: names its agent and holds one child"),
    row("sequence", "composite", SOME, Some([1, 20]), "runs its children in order until one fails"),
    row("select", "composite", SOME, Some([1, 20]), "runs its children in order until one succeeds"),
    row("memory_sequence", "composite", SOME, None, "a sequence that goes on at the child that failed last time"),
    row("memory_select", "composite", SOME, None, "a select that goes on at the child that succeeded last time"),
    row("reactive_sequence", "composite", SOME, None, "a sequence that asks its earlier children again every poll"),
    row("reactive_select", "composite", SOME, None, "a select that asks its earlier children again every poll"),
    row("always_seq", "composite", SOME, Some([1, 20]), "runs all its children whatever they return, then succeeds"),
    row("random_seq", "composite", SOME, Some([1, 20]), "a sequence in a fresh random order each time"),
    row("random_select", "composite", SOME, None, "a select in a fresh random order each time"),
    row("probility", "composite", SOME, Some([1, 20]), "runs one child, drawn by weight, and takes its result"),
    row("parallel", "composite", SOME, Some([1, 10]), "runs all its children at once until enough succeed or fail"),
    row("if_else", "composite", (2, Some(3)), Some([3, 3]), "a condition, the branch where it succeeds, and the one where it fails"),
    row("while_loop", "composite", (2, Some(2)), Some([2, 2]), "runs its second child again as long as the first succeeds"),
    row("and", "composite", SOME, None, "succeeds when all its conditions hold, asked in order"),
    row("or", "composite", SOME, None, "succeeds when one of its conditions holds, asked in order"),
    row("negative", "decorator", ONE, None, "turns its child's success into failure and failure into success"),
    row("always_true", "decorator", ONE, Some([1, 1]), "succeeds when its child has ended"),
    row("always_false", "decorator", ONE, None, "fails when its child has ended"),
    row("repeat", "decorator", ONE, None, "runs its child a number of times, until it fails"),
    row("retry", "decorator", ONE, None, "runs its child until it succeeds, a number of attempts in all"),
    row("until_success", "decorator", ONE, None, "runs its child again until it succeeds"),
    row("until_failure", "decorator", ONE, None, "runs its child again until it fails, then succeeds"),
    row("loop", "decorator", ONE, None, "runs its child once a poll whatever it returns, a number of times"),
    row("timeout", "decorator", ONE, None, "fails when its child has not ended in time"),
    row("delay", "decorator", ONE, None, "waits before it runs its child"),
    row("cooldown", "decorator", ONE, None, "fails for a while after its child has ended"),
    row("run_limit", "decorator", ONE, None, "fails once its child has run a number of times"),
    row("success_until", "decorator", ONE, None, "succeeds for a number of ends of its child, then fails"),
    row("failure_until", "decorator", ONE, None, "fails for a number of ends of its child, then succeeds"),
    row("frames", "decorator", ONE, None, "runs its child for a number of polls, then succeeds"),
    row("once", "decorator", ONE, None, "runs its child to its end once and repeats that result"),
    row("decorator", "decorator", ONE, None, "asks a method of the agent whether and how to run its child"),
    row("action", "leaf", NONE, Some([0, 0]), "calls an action of the agent"),
    row("condition", "leaf", NONE, None, "asks a condition of the agent"),
    row("wait_event", "leaf", NONE, Some([0, 0]), "waits until an event arrives"),
    row("sub_tree", "leaf", NONE, Some([0, 0]), "runs another tree and takes its result"),
    row("reset", "leaf", NONE, Some([0, 0]), "aborts everything, clears the blackboard and starts the root again"),
    row("end", "leaf", NONE, None, "ends the tree with a given result"),
    row("always_running", "leaf", NONE, None, "stays running until it is aborted"),
];

/// The name of a kind, if there is one of that name.
pub(crate) fn name_of(kind: &str) -> Option<&'static str> {
    static NAMES: LazyLock<FxHashSet<&str>> =
        LazyLock::new(|| TABLE.iter().map(|row| row.name).collect());
    NAMES.get(kind).copied()
}

/// Every node kind, in the order in which an editor offers them.
pub fn node_kinds() -> Vec<NodeKindEntry> {
    TABLE
        .iter()
        .map(|row| NodeKindEntry {
            name: row.name.to_owned(),
            brief: row.brief.to_owned(),
            group: row.group.to_owned(),
            child_min: row.children.0,
            child_max: row.children.1,
            original: row.original,
            params: params(row.name),
        })
        .collect()
}

/// The JSON Schema of a kind's `extra`: its own keys, and the attachments that every node takes.
/// Refers to [`node_defs`].
fn params(kind: &str) -> Value {
    let (own, required) = own_params(kind);
    let mut schema = json!({
        "type": "object",
        "properties": own,
        "allOf": [{"$ref": "#/$defs/node.attachments"}],
    });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    if kind == "sub_tree" {
        schema["anyOf"] = json!([{"required": ["sub_tree_name"]}, {"required": ["name_key"]}]);
    }
    schema
}

/// A kind's own keys, and which of them it cannot do without.
fn own_params(kind: &str) -> (Map<String, Value>, &'static [&'static str]) {
    let count = || json!({"type": "integer", "description": "how many; below zero: for ever"});
    let limit = || json!({"type": "integer", "minimum": 0, "description": "how many"});
    let (properties, required): (Value, &[&str]) = match kind {
        "root" => (
            json!({
                "agent_name": name("the agent that this tree is for"),
                "mode": {"enum": ["loop", "once"], "description": "what happens when the tree has ended"},
                "blackboard": declarations("the keys that the tree declares"),
            }),
            &["agent_name"],
        ),
        "action" => (called("action", "the action to call"), &["action_name"]),
        "condition" => (called("action", "the condition to ask"), &["action_name"]),
        "decorator" => (
            called("decorator", "the decorator to ask"),
            &["decorator_name"],
        ),
        "sequence" | "select" => (
            json!({"keep_place": flag("after an abort, continue at the child that was running")}),
            &[],
        ),
        "probility" => (
            json!({"prob": {
                "type": "array", "minItems": 1, "items": {"type": "number", "minimum": 0},
                "description": "one weight for each child",
            }}),
            &["prob"],
        ),
        "parallel" => (
            json!({
                "success": {"type": "integer", "minimum": 1, "description": "how many successes decide"},
                "failure": {"type": "integer", "minimum": 1, "description": "how many failures decide"},
                "rerun": flag("run finished children again every poll"),
            }),
            &[],
        ),
        "repeat" | "retry" | "loop" | "success_until" | "failure_until" => {
            (json!({"count": count()}), &["count"])
        }
        "frames" => (json!({"count": limit()}), &["count"]),
        "until_success" | "until_failure" => (json!({"count": count()}), &[]),
        "timeout" => (
            json!({"seconds": above_zero("the time allowed")}),
            &["seconds"],
        ),
        "delay" => (
            json!({"seconds": seconds("how long to wait")}),
            &["seconds"],
        ),
        "cooldown" => (
            json!({
                "seconds": seconds("how long it fails after its child has ended"),
                "on": {"enum": ["all", "success"], "description": "which ends start it"},
            }),
            &["seconds"],
        ),
        "run_limit" => (
            json!({
                "count": limit(),
                "on": {"enum": ["all", "success", "failure"], "description": "which ends count"},
                "reset_if": {"$ref": "#/$defs/node.guard", "description": "starts the count afresh when it holds on entry"},
            }),
            &["count"],
        ),
        "wait_event" => (
            json!({
                "event": name("the event to wait for"),
                "broadcast": flag("leave the event to other waiters too"),
                "latch": flag("take an event that came before"),
                "params": keys("which key takes which parameter"),
            }),
            &["event"],
        ),
        "sub_tree" => (
            json!({
                "sub_tree_name": name("the tree to run"),
                "name_key": name("the blackboard key that holds the tree's name"),
                "mode": {"enum": ["call", "transfer"], "description": "come back afterwards, or go over to it"},
                "args": {
                    "type": "object", "description": "what is written to the tree's declared keys",
                    "additionalProperties": {"$ref": "#/$defs/node.argument"},
                },
            }),
            &[],
        ),
        "reset" => (
            json!({"keep_blackboard": flag("leave the blackboard as it is")}),
            &[],
        ),
        "end" => (
            json!({
                "status": {"enum": ["success", "failure"], "description": "the result"},
                "outside": flag("end the agent's current tree, not only this one"),
            }),
            &["status"],
        ),
        _ => (json!({}), &[]),
    };
    let Value::Object(properties) = properties else {
        unreachable!("every arm is an object")
    };
    (properties, required)
}

/// What any node takes besides its own keys.
fn attachments() -> Map<String, Value> {
    let list = |of: &str, what: &str| json!({"type": "array", "items": {"$ref": format!("#/$defs/node.{of}")}, "description": what});
    let effects = ["enter", "success", "failure", "exit"].map(|when| {
        (
            when.to_owned(),
            list("effect", &format!("called on {when}")),
        )
    });
    [
        ("guards", list("guard", "conditions that must hold")),
        (
            "effects",
            json!({
                "type": "object", "properties": Map::from_iter(effects),
                "additionalProperties": false, "description": "actions whose results are ignored",
            }),
        ),
        (
            "services",
            list(
                "service",
                "actions called at intervals while the node is active",
            ),
        ),
        (
            "events",
            list(
                "event",
                "events that switch to another tree while the node is active",
            ),
        ),
        (
            "blackboard",
            declarations("keys that the node and what is below it see"),
        ),
    ]
    .map(|(key, schema)| (key.to_owned(), schema))
    .into_iter()
    .collect()
}

/// The definitions that the kinds' parameters refer to, under names that no Rust type has.
pub fn node_defs() -> BTreeMap<String, Value> {
    let shared = shared_defs();
    let shared = shared.as_object().into_iter().flatten();
    let mut defs: BTreeMap<_, _> = shared
        .map(|(name, schema)| (format!("node.{name}"), schema.clone()))
        .collect();
    let attachments = json!({"type": "object", "properties": attachments()});
    defs.insert("node.attachments".to_owned(), attachments);
    defs
}

/// The shapes that the attachments and the calls refer to.
fn shared_defs() -> Value {
    let guard_options = json!({
        "not": flag("must not hold instead"),
        "abort": {"enum": ["none", "self", "lower", "both"], "description": "what is aborted when it changes"},
        "mode": {"enum": ["poll"], "description": "asked every poll, not only when it may have changed"},
    });
    let event = json!({
        "event": name("the event"), "tree": name("the tree to run"),
        "mode": {"enum": ["transfer", "return"], "description": "go over to the tree, or come back afterwards"},
        "once": flag("once for each activation of the node"),
        "params": keys("which key takes which parameter"),
    });
    let every = json!({"seconds": above_zero("how long between two calls")});
    let declaration = json!({
        "type": name("the type, by its name in action_types.json"),
        "initial": true,
        "scope": {
            "enum": ["agent", "tree", "global"],
            "description": "of the root's: who has one value of it; the agent if it is not said",
        },
    });
    json!({
        "argument": {
            "type": "object",
            "properties": {
                "arg_type": {"enum": ["plain", "blackboard", "property"]},
                "arg_value": true,
                "arg_name": name("the argument that it is for, if its place does not say it"),
            },
            "required": ["arg_type", "arg_value"],
            "if": {"properties": {"arg_type": {"enum": ["blackboard", "property"]}}},
            "then": {"properties": {"arg_value": name("the name of a key or of a property")}},
        },
        "declaration": object(&[declaration], &["type"]),
        "guard": object(&[called("condition", "the condition to ask"), guard_options], &["condition_name"]),
        "effect": object(&[called("action", "the action to call")], &["action_name"]),
        "service": object(&[every, called("action", "the action to call")], &["seconds", "action_name"]),
        "event": object(&[event], &["event", "tree"]),
    })
}

fn object(parts: &[Value], required: &[&str]) -> Value {
    let properties: Map<String, Value> = parts
        .iter()
        .filter_map(Value::as_object)
        .flatten()
        .map(|(key, schema)| (key.clone(), schema.clone()))
        .collect();
    json!({"type": "object", "properties": properties, "required": required})
}

/// `what_name` and `what_args`: how every call of the agent is written.
fn called(what: &str, description: &str) -> Value {
    json!({
        format!("{what}_name"): name(description),
        format!("{what}_args"): {
            "type": "array", "items": {"$ref": "#/$defs/node.argument"}, "description": "its arguments in order",
        },
    })
}

fn name(description: &str) -> Value {
    json!({"type": "string", "minLength": 1, "description": description})
}

fn flag(description: &str) -> Value {
    json!({"type": "boolean", "description": description})
}

fn seconds(description: &str) -> Value {
    json!({"type": "number", "minimum": 0, "description": description})
}

fn above_zero(description: &str) -> Value {
    json!({"type": "number", "exclusiveMinimum": 0, "description": description})
}

fn declarations(description: &str) -> Value {
    json!({
        "type": "object", "additionalProperties": {"$ref": "#/$defs/node.declaration"},
        "description": description,
    })
}

fn keys(description: &str) -> Value {
    json!({"type": "object", "additionalProperties": name("a blackboard key"), "description": description})
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique_and_every_kind_has_a_brief() {
        let kinds = node_kinds();
        let names: BTreeSet<_> = kinds.iter().map(|kind| &kind.name).collect();
        assert_eq!(names.len(), kinds.len());
        assert!(kinds.iter().all(|kind| !kind.brief.is_empty()));
    }

    #[test]
    fn the_original_editor_is_given_exactly_the_kinds_that_it_knows() {
        let original: Vec<_> = node_kinds()
            .into_iter()
            .filter_map(|kind| Some((kind.name, kind.original?)))
            .collect();
        let mut expected = [
            ("root", [0, 1]),
            ("sequence", [1, 20]),
            ("always_seq", [1, 20]),
            ("random_seq", [1, 20]),
            ("if_else", [3, 3]),
            ("while_loop", [2, 2]),
            ("wait_event", [0, 0]),
            ("reset", [0, 0]),
            ("sub_tree", [0, 0]),
            ("parallel", [1, 10]),
            ("action", [0, 0]),
            ("always_true", [1, 1]),
            ("select", [1, 20]),
            ("probility", [1, 20]),
        ]
        .map(|(name, bounds)| (name.to_owned(), bounds))
        .to_vec();
        let mut original = original;
        original.sort();
        expected.sort();
        assert_eq!(original, expected);
    }

    #[test]
    fn child_counts_follow_from_the_group() {
        for kind in node_kinds() {
            let counts = (kind.child_min, kind.child_max);
            match kind.group.as_str() {
                "root" | "decorator" => assert_eq!(counts, ONE, "{}", kind.name),
                "leaf" => assert_eq!(counts, NONE, "{}", kind.name),
                "composite" => assert!(kind.child_min >= 1, "{}", kind.name),
                other => panic!("unknown group `{other}` of `{}`", kind.name),
            }
        }
    }

    #[test]
    fn every_reference_in_the_parameters_has_its_definition() {
        fn refs(value: &Value, found: &mut Vec<String>) {
            match value {
                Value::Object(map) => {
                    if let Some(Value::String(target)) = map.get("$ref") {
                        found.push(target.clone());
                    }
                    map.values().for_each(|value| refs(value, found));
                }
                Value::Array(items) => items.iter().for_each(|value| refs(value, found)),
                _ => {}
            }
        }
        for kind in node_kinds() {
            let mut found = Vec::new();
            refs(&kind.params, &mut found);
            node_defs().values().for_each(|def| refs(def, &mut found));
            for target in found {
                let name = target.trim_start_matches("#/$defs/");
                assert!(node_defs().contains_key(name), "{target}");
            }
            assert_eq!(kind.params["type"], "object");
            for key in kind.params["required"].as_array().into_iter().flatten() {
                assert!(
                    kind.params["properties"]
                        .get(key.as_str().unwrap())
                        .is_some()
                );
            }
        }
    }
}

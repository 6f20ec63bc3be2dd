//! Tests of attachments, leaves, exits and keys: each rule by a test that is named after it.

mod bad_days;
mod blackboard;
mod calls;
mod cancelling;
mod cancelling_ends;
mod composites;
mod counting;
mod delta;
mod disabled;
mod drops;
mod effects;
mod event_params;
mod event_trees;
mod events;
mod guards;
mod guards_lower;
mod leaves;
mod leaving;
mod old_names;
mod pace;
mod piling;
mod queue;
mod services;
mod sub_trees;
mod tangles;
mod told;
mod world;

use bt_core::tree::asset::spec::{Call, NodeSpec};
use serde_json::{Value, json};

/// A guard that aborts.
pub(crate) fn aborts(guard: Call, what: &str) -> Call {
    guard.set("abort", what)
}

/// A node that takes an event for a tree.
pub(crate) fn takes(node: NodeSpec, event: &str, tree: &str, mode: &str) -> NodeSpec {
    let taken = json!({"event": event, "tree": tree, "mode": mode});
    node.extra("events", json!([taken]))
}

/// An object of one key.
pub(crate) fn one(key: &str, value: impl Into<Value>) -> Value {
    Value::Object([(key.to_owned(), value.into())].into_iter().collect())
}

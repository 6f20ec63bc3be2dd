//! What every tree is made of: a node, kind by kind, whatever the agent.

use serde_json::{Value, json};

use super::Defs;
use super::declared;
use super::names::{Name, one_of};
use crate::catalogue::NodeKindEntry;

/// Any node; adds a definition for each kind.
pub(super) fn node(kinds: &[NodeKindEntry], defs: &mut Defs) -> Value {
    let names: Vec<_> = kinds
        .iter()
        .map(|kind| Name::plain(&kind.name, &kind.brief))
        .collect();
    let declared = defs.add("declaration", declared::declaration());
    let by_kind: Vec<Value> = kinds
        .iter()
        .map(|kind| {
            let schema = defs.add(&format!("kind.{}", kind.name), of_kind(kind));
            when_kind(&kind.name, schema)
        })
        .collect();
    let whole = |description: &str| json!({"type": "integer", "minimum": 0, "maximum": u32::MAX, "description": description});
    json!({
        "type": "object",
        "properties": {
            "idx": whole("the node's number, which no other has"),
            "parent": whole("the `idx` of the node above; the root has none"),
            "type": one_of(&names),
            "children": {
                "type": "array", "uniqueItems": true,
                "items": whole("the `idx` of a node below"),
                "description": "the nodes below, in the order in which they run",
            },
            "comment": {"type": "string"},
            "color": whole("0xRRGGBBAA as a whole number"),
            "is_collapsed": {"type": "boolean"},
            "extra": {
                "type": "object",
                "properties": {"blackboard": {"additionalProperties": declared}},
                "description": "what the node's kind asks for, and what is attached to the node",
            },
        },
        "required": ["idx", "type", "children"],
        "allOf": by_kind,
    })
}

/// A schema for the nodes of a kind.
pub(super) fn when_kind(kind: &str, schema: Value) -> Value {
    json!({
        "if": {"properties": {"type": {"const": kind}}, "required": ["type"]},
        "then": schema,
    })
}

/// How many children it takes, and its `extra`.
fn of_kind(kind: &NodeKindEntry) -> Value {
    let mut children = json!({"minItems": kind.child_min});
    if let Some(most) = kind.child_max {
        children["maxItems"] = json!(most);
    }
    let is_root = kind.group == "root";
    let mut properties = json!({"children": children, "extra": kind.params});
    if is_root {
        properties["parent"] = json!(false);
    } else {
        // A node's own keys are seen by what is below it and by nobody else.
        let scope = json!({"properties": {"scope": false}});
        let keys = json!({"properties": {"blackboard": {"additionalProperties": scope}}});
        properties["extra"] = json!({"allOf": [kind.params, keys]});
    }
    let mut schema = json!({"description": kind.brief, "properties": properties});
    if kind.params.get("required").is_some() || kind.params.get("anyOf").is_some() {
        schema["required"] = json!(["extra"]);
    }
    schema
}

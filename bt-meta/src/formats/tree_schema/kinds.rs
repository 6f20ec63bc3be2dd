//! The parts of every tree: a node, kind by kind, whatever the agent.

use bt_core::kinds::Group;
use bt_core::registry::schema::{Others, all_of, branches, fields, others, required, target};
use serde_json::{Value, json};

use super::declared;
use super::defs::Defs;
use super::names::{Name, doubted, one_of};
use crate::catalogue::{JsonMap, NodeKindEntry};

/// Any node; adds a definition for each kind.
///
/// `shared`: the definitions that kinds refer to.
pub(super) fn node(kinds: &[NodeKindEntry], shared: &JsonMap, defs: &mut Defs) -> Value {
    let names: Vec<_> = kinds
        .iter()
        .map(|kind| Name::plain(&kind.name, &kind.brief))
        .collect();
    let declared = defs.add("declaration", declared::declaration());
    let by_kind: Vec<Value> = kinds
        .iter()
        .map(|kind| {
            let schema = defs.add(&format!("kind.{}", kind.name), of_kind(kind, shared));
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
                "description": "what the node's kind takes, and what is attached to the node",
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

/// The number of its children, and its `extra`.
fn of_kind(kind: &NodeKindEntry, defs: &JsonMap) -> Value {
    let mut children = json!({"minItems": kind.child_min});
    if let Some(most) = kind.child_max {
        children["maxItems"] = json!(most);
    }
    let is_root = kind.group == Group::Root.name();
    let params = with_known_keys(kind, defs);
    let mut properties = json!({"children": children, "extra": params});
    if is_root {
        properties["parent"] = json!(false);
    } else {
        // A node's own keys are seen by what is below it and by nobody else.
        let scope = json!({"properties": {"scope": false}});
        let keys = json!({"properties": {"blackboard": {"additionalProperties": scope}}});
        properties["extra"] = json!({"allOf": [params, keys]});
    }
    let mut schema = json!({"description": kind.brief, "properties": properties});
    if required(&kind.params).next().is_some() || branches(&kind.params).is_some() {
        schema["required"] = json!(["extra"]);
    }
    schema
}

/// The parameters of a kind, with a warning for every other key.
fn with_known_keys(kind: &NodeKindEntry, defs: &JsonMap) -> Value {
    let mut params = kind.params.clone();
    let parts = all_of(&kind.params).unwrap_or_default().iter();
    let parts = parts.map(|part| target(defs, part).unwrap_or(part));
    let known = parts.chain([&kind.params]).filter_map(fields);
    let known: Vec<&String> = known.flat_map(|fields| fields.keys()).collect();
    let is_open = others(&kind.params) == Others::Unsaid;
    let Some(map) = params.as_object_mut().filter(|_| is_open) else {
        return params;
    };
    let own = map.entry("properties").or_insert_with(|| json!({}));
    if let Some(own) = own.as_object_mut() {
        for key in known {
            own.entry(key).or_insert(json!(true));
        }
    }
    let why = format!(
        "nodes of type `{}` have no such key: it is kept and means nothing",
        kind.name
    );
    map.insert("additionalProperties".to_owned(), doubted(&why));
    params
}

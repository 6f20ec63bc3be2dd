//! The table of node kinds as a check asks it: by name, each kind's keys in one schema.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde_json::{Map, Value, json};

use crate::tree::kinds::{node_defs, node_kinds};

/// A node kind.
#[derive(Debug)]
pub(super) struct Kind {
    pub(super) name: String,
    pub(super) is_decorator: bool,
    /// The fewest and the most children.
    pub(super) children: (usize, usize),
    /// The most children that the original editor takes; none where it does not know the kind.
    pub(super) original_most: Option<usize>,
    /// Of its `extra`, the attachments among it.
    pub(super) schema: Value,
}

impl Kind {
    /// What it comes to without children is known.
    pub(super) fn may_be_empty(&self) -> bool {
        let (decides, name) = (["parallel", "probility", "and", "or"], self.name.as_str());
        self.children == (1, usize::MAX) && !decides.contains(&name)
    }
}

/// All kinds, by name.
pub(super) static KINDS: LazyLock<FxHashMap<String, Kind>> = LazyLock::new(|| {
    let attachments = &DEFS["node.attachments"]["properties"];
    let size = |number: u32| number as usize;
    let kinds = node_kinds().into_iter().map(|kind| {
        let mut schema = kind.params;
        schema["properties"] = merged(attachments, &schema["properties"]);
        let kind = Kind {
            is_decorator: kind.group == "decorator",
            children: (
                size(kind.child_min),
                kind.child_max.map_or(usize::MAX, size),
            ),
            original_most: kind.original.map(|[_, most]| size(most)),
            name: kind.name,
            schema,
        };
        (kind.name.clone(), kind)
    });
    kinds.collect()
});

/// What the kinds' schemas refer to.
pub(super) static DEFS: LazyLock<BTreeMap<String, Value>> = LazyLock::new(node_defs);

/// The definition that a schema refers to.
pub(super) fn target(schema: &Value) -> &Value {
    let name = schema.get("$ref").and_then(Value::as_str);
    let name = name.and_then(|name| name.strip_prefix("#/$defs/"));
    name.and_then(|name| DEFS.get(name)).unwrap_or(schema)
}

/// Both objects' keys, the second's before the first's.
fn merged(first: &Value, second: &Value) -> Value {
    let keys = |value: &Value| value.as_object().cloned().unwrap_or_default();
    let mut all: Map<String, Value> = keys(first);
    all.extend(keys(second));
    json!(all)
}

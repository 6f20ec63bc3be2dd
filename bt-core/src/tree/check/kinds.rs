//! The table of node kinds as a check asks it: by name, each kind's keys in one schema.

use std::sync::{Arc, LazyLock};

use rustc_hash::FxHashMap;
use serde_json::{Map, Value, json};

use super::shape::{Shape, Shapes};
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
    pub(super) extra: Arc<Shape>,
}

impl Kind {
    /// What it comes to without children is known.
    pub(super) fn may_be_empty(&self) -> bool {
        let (decides, name) = (["parallel", "probility", "and", "or"], self.name.as_str());
        self.children == (1, usize::MAX) && !decides.contains(&name)
    }
}

/// The node kinds, and what all of them take.
#[derive(Debug)]
pub(super) struct Kinds {
    by_name: FxHashMap<String, Kind>,
    /// What any node's `extra` may hold.
    pub(super) attachments: Arc<Shape>,
}

impl Kinds {
    pub(super) fn get(&self, name: &str) -> Option<&Kind> {
        self.by_name.get(name)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }
}

/// All kinds.
pub(super) static KINDS: LazyLock<Kinds> = LazyLock::new(|| {
    let defs = node_defs();
    let mut shapes = Shapes::new(&defs);
    let attachments = &defs["node.attachments"];
    let size = |number: u32| number as usize;
    let kinds = node_kinds().into_iter().map(|kind| {
        let mut schema = kind.params;
        schema["properties"] = merged(&attachments["properties"], &schema["properties"]);
        let kind = Kind {
            is_decorator: kind.group == "decorator",
            children: (
                size(kind.child_min),
                kind.child_max.map_or(usize::MAX, size),
            ),
            original_most: kind.original.map(|[_, most]| size(most)),
            name: kind.name,
            extra: shapes.of(&schema),
        };
        (kind.name.clone(), kind)
    });
    Kinds {
        by_name: kinds.collect(),
        attachments: shapes.of(attachments),
    }
});

/// Both objects' keys, the second's before the first's.
fn merged(first: &Value, second: &Value) -> Value {
    let keys = |value: &Value| value.as_object().cloned().unwrap_or_default();
    let mut all: Map<String, Value> = keys(first);
    all.extend(keys(second));
    json!(all)
}

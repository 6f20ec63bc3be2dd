//! Trees to JSON: sorted keys, two spaces, line feeds, one at the end.

use std::collections::{BTreeMap, BTreeSet};

use serde::ser::{Serialize, Serializer};
use serde_json::Value;

use super::TreeAsset;
use super::node::AssetNode;

impl TreeAsset {
    /// The tree as the text of its file: sorted keys, two spaces, line feeds, one at the end.
    ///
    /// The order of the nodes, each `idx`, and which keys there are beside the nodes stay as they
    /// were read (but see [`normalise`](TreeAsset::normalise)); a node has all its keys. A `parallel`
    /// that states one threshold is written with both, unless children of it are disabled: the other follows from
    /// those that are left.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(&File(self))
            .expect("JSON values under text keys can be written");
        text.push('\n');
        text
    }

    /// The tree as JSON: what [`to_json`](TreeAsset::to_json) writes.
    pub fn to_value(&self) -> Value {
        serde_json::to_value(File(self)).expect("JSON values under text keys can be written")
    }
}

/// A tree as it is written. Node by node, so that a million nodes are never there as one JSON value.
struct File<'t>(&'t TreeAsset);

enum Part<'t> {
    Value(&'t Value),
    Nodes(&'t [AssetNode], BTreeSet<u32>),
}

impl Serialize for File<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let File(tree) = self;
        let parts = tree
            .keys
            .iter()
            .map(|(key, value)| (key.as_str(), Part::Value(value)));
        let mut parts: BTreeMap<_, _> = parts.collect();
        parts.insert("nodes", Part::Nodes(tree.nodes(), tree.disabled()));
        serializer.collect_map(parts)
    }
}

impl Serialize for Part<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Part::Value(value) => sorted((*value).clone()).serialize(serializer),
            Part::Nodes(nodes, disabled) => {
                serializer.collect_seq(nodes.iter().map(|one| node(one, disabled)))
            }
        }
    }
}

/// Keys are sorted anyhow, unless some crate of the program turns on serde_json's `preserve_order`.
fn sorted(mut value: Value) -> Value {
    value.sort_all_objects();
    value
}

fn node(node: &AssetNode, disabled: &BTreeSet<u32>) -> Value {
    let mut written = node.clone();
    written.state_implied(disabled);
    let data = written.data;
    let mut keys = data.others;
    // Not among the others, whatever they hold.
    keys.remove("parent");
    if let Some(parent) = node.parent() {
        keys.insert("parent".to_owned(), parent.into());
    }
    let known: [(&str, Value); 7] = [
        ("idx", node.idx().into()),
        ("type", data.kind.as_str().into()),
        ("children", node.children().into()),
        ("comment", data.comment.as_str().into()),
        ("color", data.color.into()),
        ("is_collapsed", data.is_collapsed.into()),
        ("extra", data.extra.into()),
    ];
    keys.extend(known.map(|(key, value)| (key.to_owned(), value)));
    sorted(keys.into())
}

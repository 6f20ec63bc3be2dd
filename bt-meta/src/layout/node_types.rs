//! `node_types.json`: the node kinds that an editor offers.

use serde_json::{Map, Value, json};

use super::Editor;
use super::schema::standing_alone;
use crate::catalogue::{JsonMap, NodeKindEntry};

/// The node kinds by name.
///
/// The original editor crashes on a kind that it does not know and takes an empty object only as
/// `editable_item`, so it gets its own kinds and nothing else.
pub fn node_types(kinds: &[NodeKindEntry], defs: &JsonMap, editor: Editor) -> Value {
    let entries = kinds.iter().filter_map(|kind| {
        let entry = match editor {
            Editor::Mosaic => {
                let [child_min, child_max] = kind.original?;
                json!({"child_min": child_min, "child_max": child_max, "editable_item": {}})
            }
            Editor::Full => {
                let mut entry = json!({
                    "brief": kind.brief,
                    "group": kind.group,
                    "child_min": kind.child_min,
                    "editable_item": {},
                    "params": standing_alone(&kind.params, defs),
                });
                if let Some(child_max) = kind.child_max {
                    entry["child_max"] = json!(child_max);
                }
                entry
            }
        };
        Some((kind.name.clone(), entry))
    });
    Value::Object(entries.collect::<Map<_, _>>())
}

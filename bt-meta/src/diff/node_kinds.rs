//! The node kinds, which change with bt-core.

use std::collections::BTreeMap;

use serde_json::Value;

use super::change::{About, Change, What};
use super::compare::Compare;
use super::hit::Hit;
use super::schema::{Relation, Schema, differences, relation};
use super::side::Side;
use crate::catalogue::NodeKindEntry;

impl Compare<'_, '_> {
    /// Compares them, unless one catalogue is too old to have any.
    pub(super) fn node_kinds(&self, changes: &mut Vec<Change>) {
        let by_name = |kinds: &'_ [NodeKindEntry]| -> BTreeMap<String, NodeKindEntry> {
            kinds
                .iter()
                .map(|kind| (kind.name.clone(), kind.clone()))
                .collect()
        };
        let old = by_name(&self.old.catalogue.node_kinds);
        let new = by_name(&self.new.catalogue.node_kinds);
        if old.is_empty() || new.is_empty() {
            return;
        }
        for (name, was) in &old {
            let about = about(name);
            match new.get(name) {
                None => changes.push(
                    about
                        .breaking(What::Removed, " is gone")
                        .help("the bt-core that is used now does not run it: see its CHANGELOG"),
                ),
                Some(is) => self.node_kind(&about, was, is, changes),
            }
        }
        self.attachments(changes);
        for name in new.keys().filter(|name| !old.contains_key(*name)) {
            changes.push(about(name).compatible(What::Added, " is new"));
        }
    }

    fn node_kind(
        &self,
        about: &About,
        old: &NodeKindEntry,
        new: &NodeKindEntry,
        changes: &mut Vec<Change>,
    ) {
        let bounds = |kind: &NodeKindEntry| (kind.child_min, kind.child_max.unwrap_or(u32::MAX));
        let ((least, most), (new_least, new_most)) = (bounds(old), bounds(new));
        if (least, most) != (new_least, new_most) {
            let says = format!(
                ": {} were its children, {} are",
                children(old),
                children(new)
            );
            changes.push(match new_least > least || new_most < most {
                true => about
                    .breaking(What::Children, &says)
                    .help("look at the trees that use it: `bt-meta validate`"),
                false => about.compatible(What::Children, &says),
            });
        }
        // What any node takes is compared once for all of them.
        let (a, b) = (own_params(old), own_params(new));
        self.params(about, &a, &b, changes);
    }

    /// Compares the parameters that any node takes.
    fn attachments(&self, changes: &mut Vec<Change>) {
        let of = |side: &Side<'_>| side.catalogue.defs.get(ATTACHMENTS).cloned();
        if let (Some(old), Some(new)) = (of(self.old), of(self.new)) {
            self.params(&about("any"), &old, &new, changes);
        }
    }

    fn params(&self, about: &About, old: &Value, new: &Value, changes: &mut Vec<Change>) {
        let schema = |value, defs| Schema { value, defs };
        let was = schema(old, &self.old.catalogue.defs);
        let is = schema(new, &self.new.catalogue.defs);
        let relation = relation(was, is);
        let words = differences(was, is);
        let says = match words.is_empty() {
            true => ": it takes other keys".to_owned(),
            false => format!(": {}", words.join(", ")),
        };
        changes.push(match relation {
            Relation::Same => return,
            Relation::Wider => about.compatible(What::Type, &says),
            Relation::Narrower => about
                .breaking(What::Type, &says)
                .help("look at the trees that use it: `bt-meta validate`"),
            Relation::Other => about.breaking(What::Type, &says).help(
                "whether it still takes the same is not certain: try `bt-meta validate` on the trees",
            ),
        });
    }
}

/// The definition that all node kinds refer to.
const ATTACHMENTS: &str = "node.attachments";

/// A kind's parameters without those that any node has.
fn own_params(kind: &NodeKindEntry) -> Value {
    let mut params = kind.params.clone();
    if let Some(map) = params.as_object_mut() {
        map.remove("allOf");
    }
    params
}

fn children(kind: &NodeKindEntry) -> String {
    match kind.child_max {
        Some(most) => format!("{} to {most}", kind.child_min),
        None => format!("{} and more", kind.child_min),
    }
}

fn about(kind: &str) -> About {
    About {
        agent: String::new(),
        item: "node kind",
        name: kind.to_owned(),
        argument: None,
        place: None,
        hit: Some(Hit::Kind {
            kind: kind.to_owned(),
        }),
    }
}

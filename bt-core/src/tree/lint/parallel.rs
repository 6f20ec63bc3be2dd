//! Children of a parallel that set the same key.

use std::collections::BTreeMap;

use super::Look;
use super::keys::{Keys, Spot};
use crate::text;
use crate::tree::Code;
use crate::tree::asset::AssetNode;

/// Tells of the keys that more than one child of a parallel sets.
pub(super) fn racing(look: &mut Look<'_, '_>, node: &AssetNode) {
    if node.kind != "parallel" {
        return;
    }
    let mut first: BTreeMap<String, u32> = BTreeMap::new();
    let mut racing: Vec<(String, u32, u32, Spot)> = Vec::new();
    for child in node.children() {
        let mut keys = Keys::default();
        for below in look.tree.below(*child) {
            keys.node(look, below);
        }
        for (key, spot) in keys.set {
            match first.get(&key) {
                Some(other) => racing.push((key, *other, *child, spot)),
                None => drop(first.insert(key, *child)),
            }
        }
    }
    for (key, one, other, spot) in racing {
        let message = format!(
            "key `{}` is set below node {one} and below node {other}, which run at once: what it holds \
             depends on who is last",
            text::name(&key)
        );
        let help = "give each a key of its own, or a `blackboard` to each child";
        let Some(setter) = look.tree.node(spot.node) else {
            continue;
        };
        look.tell(Code::RacingKeys, setter, &spot.below, message, help);
    }
}

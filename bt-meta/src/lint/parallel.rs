//! Children of a parallel that set the same key.

use std::collections::BTreeMap;

use super::keys::{Keys, Spot};
use super::linter::Linter;
use bt_core::kinds::call::Call;
use bt_core::kinds::{Node, Params};
use bt_core::text;
use bt_core::tree::Code;
use bt_core::tree::asset::{AssetNode, TreeAsset};
use bt_core::tree::check::declared;

/// Tells of the keys that calls in more than one child of a parallel set. Events and callers may set the
/// same key: each of them comes at a time of its own, or to a tree of its own.
pub(super) fn racing(linter: &mut Linter<'_, '_>, node: &AssetNode, said: &Node<'_>) {
    if !matches!(said.params, Some(Params::Parallel(_))) {
        return;
    }
    let mut first: BTreeMap<String, (u32, Spot)> = BTreeMap::new();
    let mut racing: Vec<(String, u32, u32, Spot)> = Vec::new();
    for child in node.children() {
        for (key, spot) in replaced(linter, *child) {
            match first.get(&key) {
                Some((_, other)) if says_the_same(linter.tree, other, &spot) => {}
                Some((other, _)) => racing.push((key, *other, *child, spot)),
                None => drop(first.insert(key, (*child, spot))),
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
        let Some(setter) = linter.tree.node(spot.node) else {
            continue;
        };
        linter.report(Code::RacingKeys, setter, &spot.below, message, help);
    }
}

/// The keys that a child and what is below it set, but for those that are their own.
fn replaced(linter: &Linter<'_, '_>, child: u32) -> BTreeMap<String, Spot> {
    let mut all = BTreeMap::new();
    for node in linter.tree.below(child) {
        let mut keys = Keys::default();
        keys.node(linter, node, &node.typed());
        for (key, spot) in keys.replaced {
            if !is_own(linter.tree, child, node, &key) {
                all.entry(key).or_insert(spot);
            }
        }
    }
    all
}

/// Returns true if a key is declared by a node or by one above it, up to a child.
fn is_own(tree: &TreeAsset, child: u32, node: &AssetNode, key: &str) -> bool {
    let mut at = Some(node);
    while let Some(node) = at {
        if declared(node).any(|declared| declared.key == key) {
            return true;
        }
        if node.idx() == child {
            return false;
        }
        at = node.parent().and_then(|parent| tree.node(parent));
    }
    false
}

/// Returns true if both places are of calls that set the same key to the same value.
fn says_the_same(tree: &TreeAsset, one: &Spot, other: &Spot) -> bool {
    let (Some(one), Some(other)) = (call(tree, one), call(tree, other)) else {
        return false;
    };
    one.name == "set_key_value" && one == other
}

/// The call that an argument belongs to.
fn call<'t>(tree: &'t TreeAsset, argument: &Spot) -> Option<Call<'t>> {
    let mut found = None;
    tree.node(argument.node)?.uses(&mut |path, used| {
        if let Some((caller, call)) = used.call() {
            let args = path.key(caller.keys().1).pointer() + "/";
            if argument.below.starts_with(&args) {
                found = Some(call.clone());
            }
        }
    });
    found
}

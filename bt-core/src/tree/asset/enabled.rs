//! A tree as it is built: without the nodes that its file disables.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::TreeAsset;
use super::node::{AssetNode, Nodes};
use crate::kinds::attached::is_disabled;
use crate::kinds::{Group, Kind};

/// The nodes missing from a tree that is read from a file with more nodes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LeftOut {
    /// The nodes, sorted.
    nodes: Box<[u32]>,
    /// The place of each of the others in the list of the file.
    places: BTreeMap<u32, usize>,
}

impl LeftOut {
    pub(super) fn place(&self, idx: u32) -> Option<usize> {
        self.places.get(&idx).copied()
    }
}

impl TreeAsset {
    /// The `idx` of each node that is not built: those that are disabled and what is below them, and a decorator whose
    /// child is. Of a disabled root, all that is below it.
    #[doc(hidden)]
    pub fn disabled(&self) -> BTreeSet<u32> {
        let mut gone = BTreeSet::new();
        if !self.nodes().iter().any(|node| is_disabled(&node.extra)) {
            return gone;
        }
        let nodes: Vec<&AssetNode> = self.preorder().collect();
        for node in &nodes {
            let is_below = node.parent().is_some_and(|parent| gone.contains(&parent));
            if is_below || is_disabled(&node.extra) {
                gone.insert(node.idx());
            }
        }
        for node in nodes.iter().rev() {
            let mut children = node.children().iter();
            let is_around =
                !node.children().is_empty() && children.all(|child| gone.contains(child));
            let kind = Kind::named(&node.kind).map(Kind::about);
            if is_around && kind.is_some_and(|about| about.group == Group::Decorator) {
                gone.insert(node.idx());
            }
        }
        // The tree is there.
        gone.remove(&self.root().idx());
        gone
    }

    /// The tree as it is built: without its disabled nodes. What a node says of each of its children, it says of those
    /// that are left. Pointers are those of the file still.
    #[doc(hidden)]
    pub fn enabled(&self) -> Cow<'_, TreeAsset> {
        let gone = self.disabled();
        if gone.is_empty() {
            return Cow::Borrowed(self);
        }
        let kept = self
            .nodes()
            .iter()
            .filter(|node| !gone.contains(&node.idx()));
        let list: Vec<AssetNode> = kept.map(|node| without(node, &gone)).collect();
        let places = list.iter().filter_map(|node| {
            let idx = node.idx();
            Some((idx, *self.nodes.by_idx.get(&idx)?))
        });
        let left_out = LeftOut {
            places: places.collect(),
            nodes: gone.into_iter().collect(),
        };
        let by_idx = list.iter().enumerate().map(|(at, node)| (node.idx(), at));
        Cow::Owned(TreeAsset {
            name: self.name.clone(),
            keys: self.keys.clone(),
            nodes: Nodes {
                by_idx: by_idx.collect(),
                root: self.nodes.root,
                left_out: Some(Box::new(left_out)),
                list,
            },
        })
    }

    /// The nodes of its file that [are not there](TreeAsset::enabled), sorted.
    pub(crate) fn left_out(&self) -> &[u32] {
        self.nodes.left_out.as_ref().map_or(&[], |left| &left.nodes)
    }
}

/// A node without the children that are gone.
fn without(node: &AssetNode, gone: &BTreeSet<u32>) -> AssetNode {
    let mut node = node.clone();
    let stays: Vec<bool> = node
        .children
        .iter()
        .map(|child| !gone.contains(child))
        .collect();
    if stays.iter().all(|stays| *stays) {
        return node;
    }
    let params = node.data.typed().params;
    let changed = params.map_or_else(Vec::new, |params| params.without(&stays));
    for (key, value) in changed {
        node.data.extra.insert(key.to_owned(), value);
    }
    node.children.retain(|child| !gone.contains(child));
    node
}

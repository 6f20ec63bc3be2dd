//! The nodes of a file before they are linked.

use super::node::AssetNode;

/// The nodes of a file as far as they could be read, each with the parent that it states.
#[derive(Default)]
pub(super) struct Raw {
    pub(super) nodes: Vec<AssetNode>,
    /// Of each node, which one of the file's list it is.
    pub(super) places: Vec<usize>,
    /// An `idx` could not be read: a child that seems to be missing may be that node.
    pub(super) idx_unread: bool,
    /// A child could not be read: a node that seems to have no parent may be that child.
    pub(super) child_unread: bool,
}

impl Raw {
    /// The node that a JSON pointer goes into.
    pub(super) fn idx_at(&self, pointer: &str) -> Option<u32> {
        let place = pointer.strip_prefix("/nodes/")?.split('/').next()?;
        let i = self.places.binary_search(&place.parse().ok()?).ok()?;
        Some(self.nodes[i].idx)
    }
}

//! Versions of a tree, side by side.

use super::{View, types, words};

types! {
    /// Of which tree.
    ListRevisions {
        /// Its path.
        path: String,
    }
    /// The git revisions that changed a file.
    Revisions {
        /// The newest first, at most 200.
        revisions: Vec<Revision>,
    }
    /// A git revision.
    Revision {
        /// Its id.
        id: String,
        /// The time of its making, as `2026-11-23T14:05:00+01:00`.
        when: String,
        /// The first line of its message.
        subject: String,
        /// The author.
        author: String,
    }
    /// The two versions to compare.
    DiffTrees {
        /// The one before.
        left: Side,
        /// The one after.
        right: Side,
    }
    /// A version of a tree: a document, a file on the disk, or a file at a git revision.
    Side {
        /// The document's number.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        doc: Option<u32>,
        /// The file's path.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        path: Option<String>,
        /// The id of the git revision.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        revision_id: Option<String>,
    }
    /// The differences.
    TreeDiff {
        /// The nodes of both, in the order of the right one, each that is gone after the one before it.
        nodes: Vec<NodeDiff>,
        /// The one before.
        left: View,
        /// The one after.
        right: View,
        /// The differences in words.
        list: Vec<String>,
    }
    /// A node of one or both.
    NodeDiff {
        /// Its `idx` on the left.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left: Option<u32>,
        /// Its `idx` on the right.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        right: Option<u32>,
        /// The change.
        change: NodeChange,
        /// The differences, a line for each.
        what: Vec<String>,
    }
}

words! {
    /// The change of a node.
    NodeChange {
        /// It is on the right alone.
        Added,
        /// It is on the left alone.
        Removed,
        /// It has another place; it may have changed as well.
        Moved,
        /// It says something else.
        Changed,
        /// It is as it was.
        Same,
    }
}

#[allow(clippy::derivable_impls)]
impl Default for NodeChange {
    fn default() -> NodeChange {
        NodeChange::Same
    }
}

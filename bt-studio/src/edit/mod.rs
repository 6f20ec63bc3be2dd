//! Changes of trees.

use bt_core::TreeAsset;

use crate::protocol::Edit;
use crate::text::splices::Splice;

/// What edits did.
#[derive(Debug, Default)]
pub struct Edited {
    /// What changes in the text.
    pub splices: Vec<Splice>,
    /// The nodes that were made.
    pub created: Vec<u32>,
}

/// Makes edits of a tree, one after the other.
///
/// # Errors
/// Why one cannot be made.
pub fn edit(_name: &str, _text: &str, _edits: &[Edit]) -> Result<Edited, String> {
    Err("not built yet".to_owned())
}

/// Nodes as a text.
///
/// # Errors
/// Why that cannot be.
pub fn fragment(_tree: &TreeAsset, _text: &str, _nodes: &[u32]) -> Result<String, String> {
    Err("not built yet".to_owned())
}

//! Edits of trees.

pub use bt_meta::edit::Edit;

use super::types;

types! {
    /// The edits, and their document.
    EditDocument {
        /// The document's number.
        doc: u32,
        /// The revision that the edits are of.
        revision: u32,
        /// Made one after the other; if one is refused, none is made.
        edits: Vec<Edit>,
    }
}

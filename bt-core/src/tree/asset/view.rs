//! The mark of a copy that stands for a tree in the original's editor.
//!
//! That editor keeps the text of `tree_type` and the comments of nodes when it saves a file. It writes the date into
//! `signature`, and drops keys that it does not know. Older versions of it drop `tree_type` too, so the root's comment
//! bears the mark as well.

use super::TreeAsset;

/// The words that a mark begins with.
#[doc(hidden)]
pub const VIEW_MARK: &str = "bt-meta view ";

impl TreeAsset {
    /// The mark of a copy that `bt-meta export --view-trees` wrote for the original's editor, without its first words;
    /// none of a tree itself. Such a copy shows a tree in the kinds that the editor knows. It does something else when it
    /// runs, so it is refused when a set of trees is built.
    ///
    /// ```
    /// use bt_core::TreeAsset;
    ///
    /// let text = r#"{"tree_type": "bt-meta view 00c0ffee", "nodes": [{"idx": 0, "type": "root", "children": []}]}"#;
    /// let copy = TreeAsset::from_json("hunt.json", text)?;
    /// assert_eq!(copy.view_mark(), Some("00c0ffee"));
    /// # Ok::<(), bt_core::AssetError>(())
    /// ```
    pub fn view_mark(&self) -> Option<&str> {
        let places = [self.tree_type(), &self.root().comment];
        places
            .into_iter()
            .find_map(|text| text.strip_prefix(VIEW_MARK))
    }
}

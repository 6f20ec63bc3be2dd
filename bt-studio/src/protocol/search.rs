//! The uses of things, and the search and replacement of texts.

pub use bt_meta::find::{FindIn, Thing};
pub use bt_meta::mentions::ThingKind;

use super::{Changed, Splice, types};

types! {
    /// The thing to search for.
    FindUsages {
        /// The thing.
        of: Thing,
    }
    /// The places where something is.
    Places {
        /// In the order of the paths and of the texts; at most 10,000.
        places: Vec<FoundPlace>,
        /// The number of more.
        unlisted: u32,
    }
    /// A place in a tree.
    FoundPlace {
        /// The tree's path.
        path: String,
        /// The node, if it is in one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        node: Option<u32>,
        /// The JSON pointer in the file.
        pointer: String,
        /// The line, from 1.
        line: u32,
        /// The text there, for people.
        shown: String,
    }
    /// The thing to rename.
    Rename {
        /// The thing.
        of: Thing,
        /// Its new name; of a tree, its new path.
        to: String,
        /// True if nothing is changed.
        preview: bool,
    }
    /// The changes, file by file.
    Renamed {
        /// The files that change.
        files: Vec<FileChange>,
        /// The new path of a tree that was renamed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        path: Option<String>,
    }
    /// The changes in one file.
    FileChange {
        /// Its path.
        path: String,
        /// The document that it is open as; without one the file on the disk is changed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        doc: Option<u32>,
        /// The result of the change in the document; none in a preview.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        changed: Option<Changed>,
        /// The changes of the text before, in its order.
        splices: Vec<Splice>,
        /// The nodes that change.
        nodes: Vec<u32>,
    }
    /// The thing to search for.
    Find {
        /// The text.
        text: String,
        /// True if capital letters count.
        #[serde(default)]
        case: bool,
        /// True if the text is a regular expression.
        #[serde(default)]
        regex: bool,
        /// The places to search; everywhere if it is empty.
        #[serde(default, rename = "in")]
        within: Vec<FindIn>,
    }
    /// The text to replace, and its replacement.
    Replace {
        /// The text that is looked for.
        text: String,
        /// True if capital letters count.
        #[serde(default)]
        case: bool,
        /// True if the text is a regular expression; `$1` in `with` then stands for its first group.
        #[serde(default)]
        regex: bool,
        /// The places to search; everywhere if it is empty.
        #[serde(default, rename = "in")]
        within: Vec<FindIn>,
        /// The replacement.
        with: String,
        /// True if nothing is changed.
        preview: bool,
    }
}

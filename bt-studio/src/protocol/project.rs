//! The project: its folders, its trees, and what its agents can do.

use serde_json::Value;

use super::{Snippet, types};

types! {
    /// Begins a conversation.
    Hello {
        /// The token of the address that the studio printed.
        token: String,
        /// The version of the protocol that the page speaks.
        protocol: u32,
    }
    /// The studio's greeting.
    Welcome {
        /// `bt-studio`.
        server: String,
        /// The version of bt-studio.
        version: String,
        /// The version of the protocol.
        protocol: u32,
    }
    /// Nothing.
    GetProject {}
    /// The open project.
    Project {
        /// The title of the window.
        title: String,
        /// The opened folders.
        folders: Vec<FolderEntry>,
        /// True if no file is written.
        read_only: bool,
        /// The package whose agents the trees are for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        package: Option<String>,
        /// The full names of the agents.
        agents: Vec<String>,
        /// The trees, sorted by path.
        trees: Vec<TreeEntry>,
        /// New trees that were never saved and are kept as drafts, the latest first: `doc.open` opens them.
        unsaved: Vec<UnsavedTree>,
        /// The kinds of nodes, in the order in which an editor offers them.
        kinds: Vec<KindInfo>,
        /// Nodes that are kept to be inserted again, sorted by name.
        snippets: Vec<Snippet>,
        /// The catalogue, as `agents.json` has it; if there is none, its `$defs` of nodes alone.
        catalogue: Value,
        /// The reason why there is no catalogue, or why it is an old one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        problem: Option<String>,
        /// While the package is being built.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        building: Option<Building>,
    }
    /// A draft without a file.
    UnsavedTree {
        /// The path that its file will have.
        path: String,
        /// The time at which it was edited last, in milliseconds since 1970.
        when: u64,
    }
    /// A package that is being built. Until then nothing is a problem that its agents may have made right.
    Building {
        /// Cargo's status, in its words; empty at the beginning.
        status: String,
        /// The source of the agents that are known until then: an exported file, or the last build; none if
        /// none are.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        known_from: Option<String>,
    }
    /// An opened folder.
    FolderEntry {
        /// The start of its trees' paths, if several folders are open.
        name: String,
        /// Its path, for people.
        path_shown: String,
    }
    /// A tree file.
    TreeEntry {
        /// Its path in its folder, with `/` between the parts; the folder's name comes first if several are open.
        path: String,
        /// Its name in other trees.
        name: String,
        /// The agent that its root names.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent: Option<String>,
        /// The comment of its root.
        comment: String,
        /// The number of its errors; 0 until it has been checked.
        errors: u32,
        /// The number of its warnings.
        warnings: u32,
        /// True if it was changed on the disk since it was opened.
        changed_on_disk: bool,
        /// True if its file may not be written, as files are that a version control keeps locked.
        read_only: bool,
        /// The form of the tree, for a small picture: a letter for the group of each node, and what is below it in
        /// round brackets. It has the first 60 nodes level by level, and is empty if the file is no tree.
        /// The letters: `r` root, `c` composite, `d` decorator, `a` action, `q` condition, `e` event, `t` tree,
        /// `x` control, `u` unknown.
        shape: String,
    }
    /// The tree file to copy.
    CopyTree {
        /// Its path.
        path: String,
        /// The path of the copy, where nothing is yet.
        to: String,
    }
    /// The tree file to remove.
    RemoveTree {
        /// Its path.
        path: String,
    }
    /// A kind of nodes.
    KindInfo {
        /// Its name in files.
        name: String,
        /// `root`, `composite`, `decorator`, `action`, `condition`, `event`, `tree` or `control`.
        group: String,
        /// One or two characters for drawings.
        symbol: String,
        /// The behaviour of a node, on one line.
        brief: String,
        /// The fewest children.
        min_children: u32,
        /// The most children; there is no limit where it is omitted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max_children: Option<u32>,
        /// The JSON Schema of a node's `extra`; refers to the catalogue's `$defs`.
        schema: Value,
        /// True if it takes no children.
        leaf: bool,
        /// The replacement, if it should not be used.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deprecated: Option<String>,
    }
    /// Nothing.
    RefreshCatalogue {}
    /// It is done, or has begun.
    Done {}
    /// Trees that have changed.
    TreesChanged {
        /// Those that are new or have changed.
        changed: Vec<TreeEntry>,
        /// The paths of those that are gone.
        removed: Vec<String>,
    }
    /// Another catalogue.
    CatalogueChanged {
        /// The catalogue, as `agents.json` has it; if there is none, its `$defs` of nodes alone.
        catalogue: Value,
        /// The full names of the agents.
        agents: Vec<String>,
        /// The kinds of nodes.
        kinds: Vec<KindInfo>,
        /// The reason why it could not be refreshed; it is the one before then.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        problem: Option<String>,
        /// While the package is being built.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        building: Option<Building>,
    }
    /// Something that a person should know.
    Notice {
        /// `info`, `warning` or `error`.
        level: String,
        /// The text.
        text: String,
    }
}

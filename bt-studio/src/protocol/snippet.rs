//! Snippets: nodes that a project keeps to be inserted again.

use super::types;

types! {
    /// Nodes that are kept under a name.
    Snippet {
        /// Its name.
        name: String,
        /// The number of its nodes.
        nodes: u32,
        /// A JSON text that the edit `paste` takes.
        text: String,
    }
    /// The nodes, and the name of the snippet.
    SaveSnippet {
        /// The document's number.
        doc: u32,
        /// The nodes; what is below them belongs to them.
        nodes: Vec<u32>,
        /// The name. A snippet that has it already is replaced.
        name: String,
    }
    /// The snippet that is no longer needed.
    RemoveSnippet {
        /// Its name.
        name: String,
    }
    /// The snippets have changed.
    SnippetsChanged {
        /// All of them, sorted by name.
        snippets: Vec<Snippet>,
    }
}

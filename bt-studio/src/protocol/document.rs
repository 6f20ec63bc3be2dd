//! Documents: tree files that are open, what they show, and their problems.

use super::types;

types! {
    /// The file.
    OpenDocument {
        /// Its path, as the project lists it.
        path: String,
    }
    /// The document to make.
    NewDocument {
        /// The path where it is to be saved.
        path: String,
        /// The agent that its root names.
        agent: String,
        /// The comment of its root.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        comment: Option<String>,
    }
    /// An open file.
    Document {
        /// Its number, which requests name.
        doc: u32,
        /// Its path.
        path: String,
        /// Its name in other trees.
        name: String,
        /// The number of times that it was changed since it was opened.
        revision: u32,
        /// Its text.
        text: String,
        /// The hash of its text on the disk; empty if it is not on the disk.
        hash: String,
        /// The view of it; null where the text is not a tree.
        view: Option<View>,
        /// Its problems, as far as they are known at once.
        findings: Vec<Finding>,
        /// The draft: changes that were not saved when it was edited last.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        draft: Option<Draft>,
        /// True if it is an indented script: it is edited as text, and saved as a tree under another name.
        script: bool,
        /// True if its file may not be written, as files are that a version control keeps locked: `doc.save`
        /// refuses until that changes, which the event `trees` says.
        read_only: bool,
    }
    /// A text that was not saved.
    Draft {
        /// The text.
        text: String,
        /// The time at which it was kept, in milliseconds since 1970.
        when: u64,
        /// The hash of the file on the disk when it was edited; empty if there was none.
        hash: String,
    }
    /// A tree as it is shown.
    View {
        /// Its name in other trees.
        name: String,
        /// The agent that its root names.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent: Option<String>,
        /// The `idx` of the root.
        root: u32,
        /// The nodes, each before those below it.
        cards: Vec<Card>,
    }
    /// A node as it is shown.
    Card {
        /// Its number in the file.
        idx: u32,
        /// The `idx` of the node above it; none of the root.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        parent: Option<u32>,
        /// The `idx` of each node below it, in the order in which they run.
        children: Vec<u32>,
        /// Its kind, as the file spells it.
        kind: String,
        /// `root`, `composite`, `decorator`, `action`, `condition`, `event`, `tree`, `control` or `unknown`.
        group: String,
        /// One or two characters for its kind.
        symbol: String,
        /// The title: a call's name, else its kind.
        title: String,
        /// A call's arguments.
        arguments: String,
        /// The other parameters of its kind.
        parameters: String,
        /// The attachments, from the outside in.
        attached: Vec<AttachedLine>,
        /// The comment that a person wrote on it.
        comment: String,
        /// Its colour as 0xRRGGBBAA; none if it is white.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        color: Option<u32>,
        /// True if what is below it is hidden.
        collapsed: bool,
        /// True if it is disabled itself.
        disabled: bool,
        /// True if it is not built: it is disabled, or a node above it is, or what it is around.
        left_out: bool,
        /// The path of the tree that it runs, if there is one of that name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        calls: Option<String>,
        /// True if there is no such kind.
        unknown_kind: bool,
        /// Its JSON pointer in the file.
        pointer: String,
    }
    /// A line about something that is attached to a node.
    AttachedLine {
        /// The name or the occasion.
        when: String,
        /// The effect.
        what: String,
    }
    /// Something that is wrong with a tree, or probably not meant.
    Finding {
        /// The code, such as `BT0034`.
        code: String,
        /// The code's name.
        name: String,
        /// `error` or `warning`.
        level: String,
        /// The node's `idx`, if it is about one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        node: Option<u32>,
        /// The JSON pointer of the value in the file; empty for the whole file.
        pointer: String,
        /// The line in the text, from 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        line: Option<u32>,
        /// The column in the text, from 1, in characters.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        column: Option<u32>,
        /// The column after the last character of the value.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        end_column: Option<u32>,
        /// The text of what was expected and what was found.
        message: String,
        /// The advice.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        help: Option<String>,
        /// The effect of the edit `fix`, in words; none where nothing is certain.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fix: Option<String>,
    }
    /// A stretch of a text, and what takes its place. All splices of a change have places in the text before it.
    Splice {
        /// The first place, in UTF-16 code units.
        from: u32,
        /// The place after the last one.
        to: u32,
        /// The new text.
        text: String,
    }
    /// The stretches to replace, and their text.
    ReplaceText {
        /// The document's number.
        doc: u32,
        /// The revision that the places are of.
        revision: u32,
        /// In the order of the text, not overlapping.
        splices: Vec<Splice>,
    }
    /// The result of a change.
    Changed {
        /// The new revision.
        revision: u32,
        /// The changes of the text before, in its order.
        splices: Vec<Splice>,
        /// The nodes that are new or look different.
        cards: Vec<Card>,
        /// The `idx` of each node that is gone.
        removed: Vec<u32>,
        /// True if the text is a tree. If it is not, the nodes before are no longer shown, and the findings
        /// say why; when it is one again, `cards` has all of its nodes.
        is_tree: bool,
        /// The `idx` of the root, if it is another one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        root: Option<u32>,
        /// The agent that the root names.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent: Option<String>,
        /// The `idx` of each node that an edit made, in the order of the edits.
        created: Vec<u32>,
        /// Other documents that it changed, as `extract` does.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        documents: Vec<Document>,
    }
    /// The document, and the path to save to.
    SaveDocument {
        /// The document's number.
        doc: u32,
        /// The revision that is to be saved.
        revision: u32,
        /// Another path, where it is to be saved from now on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        path: Option<String>,
        /// The hash of the file on the disk, if it is to be overwritten although it has changed; empty if
        /// there is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hash: Option<String>,
        /// A picture that is written beside it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        picture: Option<Picture>,
    }
    /// A picture of a tree.
    Picture {
        /// A PNG, in Base64.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        png: Option<String>,
        /// True if an SVG is drawn.
        #[serde(default)]
        svg: bool,
    }
    /// The place where it was saved.
    Saved {
        /// Its path.
        path: String,
        /// Its name in other trees.
        name: String,
        /// The new hash of the file.
        hash: String,
        /// The paths of the pictures.
        pictures: Vec<String>,
    }
    /// The document to read again.
    ReloadDocument {
        /// The document's number.
        doc: u32,
    }
    /// The document that is no longer needed.
    CloseDocument {
        /// The document's number.
        doc: u32,
        /// True if unsaved changes are thrown away; else they stay as a draft.
        discard: bool,
    }
    /// The nodes to copy.
    GetFragment {
        /// The document's number.
        doc: u32,
        /// The nodes; what is below them belongs to them.
        nodes: Vec<u32>,
    }
    /// Nodes as a text.
    Fragment {
        /// A JSON text that the edit `paste` takes, in any document.
        text: String,
    }
    /// The problems of a file.
    Problems {
        /// Its path.
        path: String,
        /// The document that it is open as.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        doc: Option<u32>,
        /// The revision of the document that they are of.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        revision: Option<u32>,
        /// All of them.
        findings: Vec<Finding>,
    }
    /// Nodes look different, although the text is the same.
    CardsChanged {
        /// The document's number.
        doc: u32,
        /// Those that do.
        cards: Vec<Card>,
    }
    /// An open file has changed on the disk.
    DiskChanged {
        /// The document's number.
        doc: u32,
        /// The hash of the file on the disk; empty if it is gone.
        hash: String,
        /// True if it is there.
        exists: bool,
    }
}

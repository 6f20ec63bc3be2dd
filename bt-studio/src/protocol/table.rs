//! The table of methods and the table of events.

use super::*;

bt_live::protocol_methods! {
    /// Begins a conversation: the first request of every connection.
    reads "hello" Hello -> Welcome;
    /// Shows what is open: folders, trees, kinds and the catalogue.
    reads "project.get" GetProject -> Project;
    /// Opens a tree file.
    reads "doc.open" OpenDocument -> Document;
    /// Makes a new tree of a root alone. It is on the disk once it is saved.
    reads "doc.new" NewDocument -> Document;
    /// Edits the tree of a document.
    reads "doc.edit" EditDocument -> Changed;
    /// Replaces stretches of a document's text: undo, redo, and edits of the text itself.
    reads "doc.replace" ReplaceText -> Changed;
    /// Saves a document. It is refused if the file has changed on the disk since it was opened.
    changes "doc.save" SaveDocument -> Saved;
    /// Reads a document from the disk again.
    reads "doc.reload" ReloadDocument -> Document;
    /// Closes a document.
    reads "doc.close" CloseDocument -> Done;
    /// Copies nodes as a text.
    reads "doc.fragment" GetFragment -> Fragment;
    /// Shows what there is to know of a node.
    reads "node.info" GetNode -> NodeInfo;
    /// Finds the places where something is used, in all trees.
    reads "usages" FindUsages -> Places;
    /// Gives something another name, in all trees: in open documents as a change, in other files on the disk.
    reads "rename" Rename -> Renamed;
    /// Finds a text in all trees.
    reads "find" Find -> Places;
    /// Replaces a text in all trees: in open documents as a change, in other files on the disk.
    reads "replace" Replace -> Renamed;
    /// Lists the git revisions that changed a tree.
    reads "git.revisions" ListRevisions -> Revisions;
    /// Compares two versions of a tree.
    reads "diff.tree" DiffTrees -> TreeDiff;
    /// Reads the catalogue anew, or exports the package again. The event `catalogue` says when it is there.
    reads "catalogue.refresh" RefreshCatalogue -> Done;
}

bt_live::protocol_events! {
    /// The problems of a file, after it has changed or been looked at again.
    "problems" Problems;
    /// Tree files are new, have changed, or are gone.
    "trees" TreesChanged;
    /// An open file has changed on the disk.
    "disk" DiskChanged;
    /// There is another catalogue.
    "catalogue" CatalogueChanged;
    /// Something that a person should know.
    "notice" Notice;
}

//! The error of an agent that cannot be restored.

use std::fmt;

/// A saved agent that cannot be restored: what was expected, what was found, and what to do.
///
/// ```
/// use bt_core::Saved;
///
/// let error = Saved::from_json("{}").unwrap_err();
/// assert!(error.is_malformed());
/// println!("{error}");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct RestoreError {
    kind: Kind,
    /// The tree in question.
    tree: Option<Box<str>>,
    what: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Malformed,
    Newer,
    OtherAgent,
    UnknownTree,
    Changed,
}

impl RestoreError {
    fn new(kind: Kind, what: impl Into<String>) -> RestoreError {
        RestoreError {
            kind,
            tree: None,
            what: what.into(),
        }
    }

    #[cold]
    pub(crate) fn malformed(what: impl Into<String>) -> RestoreError {
        RestoreError::new(Kind::Malformed, what)
    }

    #[cold]
    pub(crate) fn newer(what: impl Into<String>) -> RestoreError {
        RestoreError::new(Kind::Newer, what)
    }

    #[cold]
    pub(crate) fn other_agent(what: impl Into<String>) -> RestoreError {
        RestoreError::new(Kind::OtherAgent, what)
    }

    #[cold]
    pub(crate) fn unknown_tree(tree: &str, what: impl Into<String>) -> RestoreError {
        RestoreError::new(Kind::UnknownTree, what).of_tree(tree)
    }

    #[cold]
    pub(crate) fn changed(what: impl Into<String>) -> RestoreError {
        RestoreError::new(Kind::Changed, what)
    }

    pub(crate) fn of_tree(mut self, tree: &str) -> RestoreError {
        self.tree.get_or_insert_with(|| tree.into());
        self
    }

    /// Returns true if the text was never written by a save: it is cut off, or was changed by hand.
    pub fn is_malformed(&self) -> bool {
        self.kind == Kind::Malformed
    }

    /// It was written by a newer version of this library.
    pub fn is_newer(&self) -> bool {
        self.kind == Kind::Newer
    }

    /// The trees are for agents of another type.
    pub fn is_other_agent(&self) -> bool {
        self.kind == Kind::OtherAgent
    }

    /// A tree that the agent ran is not among the trees.
    pub fn is_unknown_tree(&self) -> bool {
        self.kind == Kind::UnknownTree
    }

    /// A tree, or what it declares of a key, is another than when the agent was saved:
    /// [`Runner::restore_or_restart`](crate::Runner::restore_or_restart) keeps what it can.
    pub fn is_changed(&self) -> bool {
        self.kind == Kind::Changed
    }

    /// The name of the tree that it is about, if it is about one.
    pub fn tree(&self) -> Option<&str> {
        self.tree.as_deref()
    }

    /// The fault itself, without the words at its start.
    pub(crate) fn what(&self) -> &str {
        &self.what
    }

    /// Returns true if what does not depend on the nodes of trees can be restored all the same.
    pub(crate) fn is_of_trees(&self) -> bool {
        matches!(self.kind, Kind::UnknownTree | Kind::Changed)
    }
}

impl fmt::Display for RestoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the agent cannot be restored: {}", self.what)
    }
}

/// As it is displayed, because this is what `main` and `unwrap` show of an error.
impl fmt::Debug for RestoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for RestoreError {}

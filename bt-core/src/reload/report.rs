//! The effects of a reload on an agent, done or previewed.

use std::fmt;
use std::sync::Arc;

/// A node of a tree.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Node {
    tree: Arc<str>,
    idx: u32,
    kind: &'static str,
}

impl Node {
    pub(crate) fn new(tree: &Arc<str>, idx: u32, kind: &'static str) -> Node {
        Node {
            tree: tree.clone(),
            idx,
            kind,
        }
    }

    /// The name of its tree.
    pub fn tree(&self) -> &str {
        &self.tree
    }

    /// Its `idx` in the file.
    pub fn idx(&self) -> u32 {
        self.idx
    }

    /// The file's word for its kind.
    pub fn kind(&self) -> &str {
        self.kind
    }
}

/// "hunt.json: node 3 (sequence)".
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: node {} ({})", self.tree, self.idx, self.kind)
    }
}

/// The effect of a reload on an agent as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Moved {
    /// It runs the changed trees.
    Moved,
    /// A tree that it runs is gone: it runs the old ones until its outermost tree ends.
    Kept(Box<str>),
    /// A tree that it runs is gone: another one starts.
    Restarted(Box<str>),
    /// A tree that it runs is gone: it does not move.
    Refused(Box<str>),
}

/// The effects of a reload on an agent, done or previewed: see [`Runner::reload`](crate::Runner::reload).
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Reload {
    pub(crate) moved: Moved,
    pub(crate) kept: Vec<Node>,
    pub(crate) adopted: Vec<Node>,
    pub(crate) aborted: Vec<Node>,
    pub(crate) entered: Vec<Node>,
    pub(crate) problems: Vec<String>,
}

impl Reload {
    pub(crate) fn new(moved: Moved) -> Reload {
        Reload {
            moved,
            kept: Vec::new(),
            adopted: Vec::new(),
            aborted: Vec::new(),
            entered: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// Returns whether the agent runs the changed trees, and what else becomes of it.
    pub fn moved(&self) -> &Moved {
        &self.moved
    }

    /// The nodes that stay active, each before what is below it.
    pub fn kept(&self) -> &[Node] {
        &self.kept
    }

    /// New nodes around what stays active, and active from now on.
    pub fn adopted(&self) -> &[Node] {
        &self.adopted
    }

    /// The nodes that are exited, by what they were in the old trees.
    pub fn aborted(&self) -> &[Node] {
        &self.aborted
    }

    /// The nodes that are entered in the place of such as were aborted, and new children of parallels.
    pub fn entered(&self) -> &[Node] {
        &self.entered
    }

    /// The things that could not be kept, in words: values of keys that are of another type now, nodes that
    /// are gone and were forced by a debugger.
    pub fn problems(&self) -> &[String] {
        &self.problems
    }

    /// Returns true if all that was active stays as it is.
    pub fn is_quiet(&self) -> bool {
        self.moved == Moved::Moved
            && self.adopted.is_empty()
            && self.aborted.is_empty()
            && self.entered.is_empty()
    }
}

/// A line for each thing that changes.
impl fmt::Display for Reload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.moved {
            Moved::Moved => write!(f, "moved: {} nodes stay active", self.kept.len())?,
            Moved::Kept(tree) => {
                write!(
                    f,
                    "`{tree}` is gone: the old trees run until the outermost ends"
                )?;
            }
            Moved::Restarted(tree) => write!(f, "`{tree}` is gone: another tree starts")?,
            Moved::Refused(tree) => write!(f, "`{tree}` is gone: the old trees stay")?,
        }
        let all = [
            ("adopted", &self.adopted),
            ("aborted", &self.aborted),
            ("entered", &self.entered),
        ];
        for (what, nodes) in all {
            for node in nodes {
                write!(f, "\n{what} {node}")?;
            }
        }
        for problem in &self.problems {
            write!(f, "\n{problem}")?;
        }
        Ok(())
    }
}

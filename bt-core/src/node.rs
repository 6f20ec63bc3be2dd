//! The node that a call is made for.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// No node.
pub(crate) const NONE: u32 = u32::MAX;

/// The nodes of trees, by their numbers.
pub(crate) trait Nodes: Send + Sync {
    /// None if there is no such node.
    fn node(&self, number: u32) -> Option<Named<'_>>;

    /// The node's place in words: "hunt.json: node 3 (action `chase`)".
    fn place(&self, number: u32) -> String;
}

/// A node, as its file names it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Named<'a> {
    pub(crate) tree: &'a str,
    pub(crate) idx: u32,
    pub(crate) kind: &'static str,
    pub(crate) name: &'a str,
}

/// A node of a tree, as a call sees the one that it is made for: see
/// [`Context::node`](crate::Context::node).
#[derive(Clone)]
pub struct NodeRef {
    nodes: Arc<dyn Nodes>,
    node: u32,
}

impl NodeRef {
    /// None if there is no such node: a session's blackboard may have the keys of other trees.
    pub(crate) fn new(nodes: Arc<dyn Nodes>, node: u32) -> Option<NodeRef> {
        nodes.node(node)?;
        Some(NodeRef { nodes, node })
    }

    fn named(&self) -> Named<'_> {
        self.nodes.node(self.node).unwrap_or_default()
    }

    /// The name of its tree.
    pub fn tree(&self) -> &str {
        self.named().tree
    }

    /// Its `idx` in the file.
    pub fn idx(&self) -> u32 {
        self.named().idx
    }

    /// The file's word for its kind.
    pub fn kind(&self) -> &'static str {
        self.named().kind
    }

    /// The name of its action, event or tree; empty where it has none.
    pub fn name(&self) -> &str {
        self.named().name
    }
}

impl PartialEq for NodeRef {
    fn eq(&self, other: &Self) -> bool {
        (self.tree(), self.idx()) == (other.tree(), other.idx())
    }
}

impl Eq for NodeRef {}

impl Hash for NodeRef {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.tree(), self.idx()).hash(state);
    }
}

/// "hunt.json: node 3 (action `chase`)".
impl fmt::Display for NodeRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.nodes.place(self.node))
    }
}

impl fmt::Debug for NodeRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

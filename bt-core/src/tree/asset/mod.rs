//! The editable form of a tree: the file's own words, whose structure alone is sound.
//!
//! Reading refuses what is no tree, everything at once; what a node's kind asks for is not looked
//! at, so that unfinished work can be opened. Writing keeps what it does not know.

mod edit;
mod enabled;
mod fields;
mod head;
mod json;
mod keys;
mod limits;
mod node;
mod position;
mod problem;
mod raw;
mod read;
#[doc(hidden)]
pub mod scan;
mod script;
pub mod spec;
mod structure;
mod view;
mod write;

use std::collections::BTreeSet;

use crate::kinds::root::AGENT_NAME;
use crate::kinds::{self, Kind, Use};
use crate::tree::Code;
use serde_json::{Map, Value};

pub use crate::kinds::step;
pub use limits::{MAX_BYTES, MAX_DEPTH, MAX_NODES};
use node::Nodes;
pub use node::{AssetNode, NodeData, WHITE};
pub use position::locate;
#[doc(hidden)]
pub use position::positions;
pub use problem::{AssetError, Fix, Item, Position, Problem};
#[doc(hidden)]
pub use script::{
    expression as script_expression, name_length, places as script_places, script_positions,
};
use spec::NodeSpec;
#[doc(hidden)]
pub use view::VIEW_MARK;

/// A tree as data: read from a file or built in code, changed, and written.
///
/// Its structure is sound, always: one root, every other node the child of exactly one. Its nodes
/// may be of kinds that do not exist, with too many children or with arguments that nothing takes;
/// that is looked at when it is built for an agent.
///
/// ```
/// use bt_core::TreeAsset;
///
/// # fn main() -> Result<(), bt_core::AssetError> {
/// let text = r#"{"nodes": [
///     {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "monster_agent"}},
///     {"idx": 1, "type": "action", "children": [], "parent": 0, "extra": {"action_name": "chase"}}
/// ]}"#;
/// let tree = TreeAsset::from_json("hunt.json", text)?;
/// assert_eq!(tree.agent(), Some("monster_agent"));
/// let first = tree.root().children()[0];
/// assert_eq!(tree.node(first).unwrap().extra["action_name"], "chase");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct TreeAsset {
    name: String,
    keys: Map<String, Value>,
    nodes: Nodes,
}

impl TreeAsset {
    /// A tree of a root alone.
    pub fn new(name: impl Into<String>, agent: &str) -> TreeAsset {
        TreeAsset::of_root(&name.into()).with_agent(agent)
    }

    /// Reads a tree from JSON. `name` is what problems and other trees call it.
    ///
    /// Taken are nodes in any order, gaps in `idx`, a missing `parent`, `comment`, `color`,
    /// `is_collapsed` or `extra`, unknown keys, and a byte order mark.
    ///
    /// # Errors
    /// Text that is no JSON, keys of another form than they must have or given twice, a duplicate
    /// `idx`, a child that is missing or listed twice, a cycle, a node that is nobody's child, a
    /// `parent` that contradicts the `children`, no root or several, more than [`MAX_NODES`] or
    /// [`MAX_DEPTH`]: all that are found, each with its line and column.
    pub fn from_json(name: &str, text: &str) -> Result<TreeAsset, AssetError> {
        read::from_json(name, text)
    }

    /// Reads a tree from the bytes of a file: a [script](TreeAsset::from_script) where `name` ends in `.bt`,
    /// else JSON.
    ///
    /// ```
    /// use bt_core::TreeAsset;
    ///
    /// let tree = TreeAsset::from_slice("patrol.bt", b"AGENT guard\nSEQUENCE\n    walk $post\n")?;
    /// assert_eq!(tree.agent(), Some("guard"));
    /// # Ok::<(), bt_core::AssetError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`from_json`](TreeAsset::from_json) or [`from_script`](TreeAsset::from_script), and bytes
    /// that are no UTF-8.
    pub fn from_slice(name: &str, bytes: &[u8]) -> Result<TreeAsset, AssetError> {
        read::from_slice(name, bytes)
    }

    /// Reads the root from the bytes of a file, without the rest of the tree: its agent and the keys that it
    /// declares. It costs a tenth of reading the tree. For bytes that are not a tree it is an empty root.
    pub fn head(name: &str, bytes: &[u8]) -> TreeAsset {
        head::of(name, bytes)
    }

    /// Reads a tree from an indented script: a line for each node, deeper ones below.
    ///
    /// A line is a name and, after it, a parameter if there is one. `SEQUENCE` and `FALLBACK` evaluate
    /// their earlier children again every poll, or with the parameter `True` keep their place, over
    /// aborts too; `PARALLEL` takes how many children must succeed, and runs all of them every poll.
    /// `SUB_TREE` takes the name of a tree, and the name of any other kind in capitals takes a dict of the
    /// node's keys. Any other name is of the agent: a decorator if there is a node below it, a composite if
    /// there are several, and else an action or a condition. Its parameter is a Python literal: a dict
    /// names its arguments, a tuple lists them, anything else is one argument; `$key` stands for a key of
    /// the blackboard, `@property` for a property. What one step of indentation is, the first indented line says.
    ///
    /// Below a node, `GUARD condition …`, `EVENT name "tree"` and `KEY name "type"` are attached to it.
    /// Above the first node `AGENT name` says whose tree it is (or [`with_agent`](TreeAsset::with_agent)
    /// does), and `KEY` declares keys of the tree. A comment, `# …`, above a node or behind it is the node's.
    ///
    /// ```
    /// use bt_core::TreeAsset;
    ///
    /// # fn main() -> Result<(), bt_core::AssetError> {
    /// let patrol = "
    /// SEQUENCE True
    ///     go_to_point \"a\"
    ///     go_to_point \"b\"
    /// ";
    /// let tree = TreeAsset::from_script("patrol", patrol)?.with_agent("guard");
    /// let kinds: Vec<_> = tree.preorder().map(|node| node.kind.as_str()).collect();
    /// assert_eq!(kinds, ["root", "sequence", "action", "action"]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Lines that are not of that form, indentation that does not fit, no line or several that
    /// nothing is above, more than [`MAX_NODES`] or [`MAX_DEPTH`]: all that are found, each with its
    /// line and column.
    pub fn from_script(name: &str, text: &str) -> Result<TreeAsset, AssetError> {
        script::from_text(name, text)
    }

    /// Reads a tree from what a script says, as nested objects: `{"name": …, "param": …,
    /// "children": […]}`, without `param` and `children` where there are none. A `level` is taken
    /// and not needed.
    ///
    /// # Errors
    /// Keys that are missing, unknown or of another form, and what
    /// [`from_script`](TreeAsset::from_script) refuses: all that are found, each with its JSON
    /// pointer.
    pub fn from_script_value(name: &str, value: &Value) -> Result<TreeAsset, AssetError> {
        script::from_value(name, value)
    }

    /// A tree made in code: see [`spec`]. A top node of kind `root` is the root itself, any other
    /// one its only child. It may be over a limit, or have a `root` further below; building it for
    /// an agent refuses that, and so does reading what was written of it.
    ///
    /// ```
    /// use bt_core::TreeAsset;
    /// use bt_core::tree::asset::spec::{action, guard, select};
    ///
    /// let hunt = TreeAsset::build(
    ///     "hunt.json",
    ///     "monster_agent",
    ///     select([
    ///         action("chase").arg(7).key("range").guard(guard("sees_player").negated()),
    ///         action("patrol"),
    ///     ]),
    /// );
    /// assert_eq!(TreeAsset::from_json("hunt.json", &hunt.to_json()), Ok(hunt));
    /// ```
    pub fn build(name: impl Into<String>, agent: &str, top: NodeSpec) -> TreeAsset {
        let mut tree = TreeAsset::new(name, agent);
        tree.plant(top);
        tree.with_agent(agent)
    }

    /// A root that names no agent.
    fn of_root(name: &str) -> TreeAsset {
        let mut tree = TreeAsset::of(name, Map::new(), Nodes::of_root(NodeData::new(Kind::Root)));
        tree.fill_in();
        tree
    }

    fn of(name: &str, keys: Map<String, Value>, nodes: Nodes) -> TreeAsset {
        TreeAsset {
            name: name.to_owned(),
            keys,
            nodes,
        }
    }

    /// The name by which problems and other trees know it. The file may have another `name`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same tree under another name.
    pub fn with_name(mut self, name: impl Into<String>) -> TreeAsset {
        self.name = name.into();
        self
    }

    /// The agent that it is for, if it says so.
    pub fn agent(&self) -> Option<&str> {
        kinds::root::agent_name(&self.root().extra)
    }

    /// The same tree for an agent.
    pub fn with_agent(mut self, agent: &str) -> TreeAsset {
        let root = self.nodes.root;
        if let Some(root) = self.node_mut(root) {
            root.extra.insert(AGENT_NAME.to_owned(), agent.into());
        }
        self
    }

    /// The keys of the file besides its nodes: `name`, `extra`, `tree_type`, `signature` and those that this
    /// library does not know.
    pub fn keys(&self) -> &Map<String, Value> {
        &self.keys
    }

    /// [`keys`](TreeAsset::keys) to change. A key `nodes` is not written.
    pub fn keys_mut(&mut self) -> &mut Map<String, Value> {
        &mut self.keys
    }

    /// The purpose of the tree, as an editor wrote it; empty where the file does not have it.
    pub fn tree_type(&self) -> &str {
        self.text("tree_type")
    }

    /// The editor's mark of when or by whom it was saved; empty where the file does not say it.
    pub fn signature(&self) -> &str {
        self.text("signature")
    }

    fn text(&self, key: &str) -> &str {
        self.keys.get(key).and_then(Value::as_str).unwrap_or("")
    }

    /// Its nodes in the order of the file.
    pub fn nodes(&self) -> &[AssetNode] {
        &self.nodes.list
    }

    /// The root.
    pub fn root(&self) -> &AssetNode {
        &self.nodes.list[self.nodes.by_idx[&self.nodes.root]]
    }

    /// The node of an `idx`.
    pub fn node(&self, idx: u32) -> Option<&AssetNode> {
        self.nodes.get(idx)
    }

    /// The node of an `idx` to change, but for its place in the tree. The root alone is of kind `root`
    /// in a tree that can be read again.
    pub fn node_mut(&mut self, idx: u32) -> Option<&mut NodeData> {
        self.nodes.get_mut(idx).map(|node| &mut node.data)
    }

    /// Its nodes from the root downwards, each before those below it, siblings in order.
    pub fn preorder(&self) -> impl Iterator<Item = &AssetNode> {
        self.nodes.preorder(self.nodes.root).map(|(_, node)| node)
    }

    /// A node and all that are below it, in the order in which they run.
    pub fn below(&self, idx: u32) -> impl Iterator<Item = &AssetNode> {
        self.nodes.preorder(idx).map(|(_, node)| node)
    }

    /// Its nodes from the root downwards, each with how many nodes it is below.
    pub(crate) fn by_depth(&self) -> impl Iterator<Item = (usize, &AssetNode)> {
        self.nodes.preorder(self.nodes.root)
    }

    /// The names of the trees that it runs, sorted: its sub-trees, and those that its events start. Nodes that the
    /// file disables run none, and a name that a key holds is not known before it runs.
    ///
    /// ```
    /// use bt_core::TreeAsset;
    ///
    /// let text = "SEQUENCE True\n    SUB_TREE \"eat\"\n    nop";
    /// let day = TreeAsset::from_script("day.bt", text)?;
    /// assert!(day.runs().eq(["eat"]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn runs(&self) -> impl Iterator<Item = &str> {
        let disabled = self.disabled();
        let mut names = BTreeSet::new();
        for node in self.nodes() {
            if disabled.contains(&node.idx()) {
                continue;
            }
            node.uses(&mut |_, used| match used {
                Use::Tree(sub_tree) => names.extend(sub_tree.named()),
                Use::Starts(event) => _ = names.insert(event.tree.0),
                Use::Call(..)
                | Use::Guard(..)
                | Use::Expression(..)
                | Use::Value(..)
                | Use::Writes(..)
                | Use::Number(..)
                | Use::Event(..) => {}
            });
        }
        // What is no name is reported when the tree is checked.
        names.remove("");
        names.into_iter()
    }

    /// The JSON pointer of a node in the file that it was read from, if nodes were neither added nor
    /// taken out since.
    pub fn pointer(&self, idx: u32) -> Option<String> {
        let at = match &self.nodes.left_out {
            Some(left_out) => left_out.place(idx)?,
            None => *self.nodes.by_idx.get(&idx)?,
        };
        Some(format!("/nodes/{at}"))
    }

    /// More nodes than [`MAX_NODES`], or deeper than [`MAX_DEPTH`]; of a tree made in code only.
    pub(crate) fn over_limit(&self) -> Option<Problem> {
        let problem = |message| Problem::new(Code::TooLarge, &self.name, message);
        if self.nodes.list.len() > MAX_NODES {
            return Some(problem(format!("more than {MAX_NODES} nodes")));
        }
        let mut preorder = self.nodes.preorder(self.nodes.root);
        let (_, node) = preorder.find(|(depth, _)| *depth >= MAX_DEPTH)?;
        let message = format!("more than {MAX_DEPTH} nodes below one another");
        let pointer = self.pointer(node.idx).unwrap_or_default();
        Some(problem(message).of_node(node.idx).at(pointer))
    }
}

#[cfg(test)]
mod tests;

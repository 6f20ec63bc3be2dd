//! A node of a tree as data: what the file says of it.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::ops::Deref;

use serde_json::{Map, Value};

use super::enabled::LeftOut;
use super::problem::Position;
use crate::kinds::{self, KeyProblem, Kind, Path, Use};

/// The colour of a node that has none of its own: white.
#[doc(hidden)]
pub const WHITE: u32 = 0xffff_ffff;

/// A node in its tree: where it stands, and its [`NodeData`].
///
/// It changes its place only through its tree, so that the links of a tree always agree.
#[derive(Debug, Clone)]
pub struct AssetNode {
    pub(super) idx: u32,
    pub(super) parent: Option<u32>,
    pub(super) children: Vec<u32>,
    pub(super) data: NodeData,
    /// The place in the script that it was read from.
    pub(super) in_script: Option<InScript>,
}

/// The beginning of a node's line in a script, in half of the room of a [`Position`].
#[derive(Debug, Clone, Copy)]
pub(super) struct InScript {
    line: NonZeroU32,
    column: u32,
}

impl InScript {
    /// None of a text of more lines or columns than there are numbers.
    pub(super) fn of(position: Position) -> Option<InScript> {
        Some(InScript {
            line: NonZeroU32::new(u32::try_from(position.line).ok()?)?,
            column: u32::try_from(position.column).ok()?,
        })
    }
}

/// Two nodes from different places of a text are equal.
impl PartialEq for AssetNode {
    fn eq(&self, other: &AssetNode) -> bool {
        let place = |node: &AssetNode| (node.idx, node.parent);
        place(self) == place(other) && self.children == other.children && self.data == other.data
    }
}

impl AssetNode {
    /// The number by which the file, the editor and the debugger know it.
    pub fn idx(&self) -> u32 {
        self.idx
    }

    /// The `idx` of the node above it; none of the root.
    pub fn parent(&self) -> Option<u32> {
        self.parent
    }

    /// The `idx` of each node below it, in the order in which they run.
    pub fn children(&self) -> &[u32] {
        &self.children
    }

    /// The line of the script that it was read from.
    pub(crate) fn line(&self) -> Option<NonZeroU32> {
        self.in_script.map(|place| place.line)
    }

    /// The beginning of its line in the script that it was read from.
    pub(crate) fn position(&self) -> Option<Position> {
        self.in_script.map(|place| Position {
            line: place.line.get() as usize,
            column: place.column as usize,
        })
    }

    /// The rest of the node in the file.
    pub fn data(&self) -> &NodeData {
        &self.data
    }

    /// Adds the key that need not be said, unless it follows from the children that are not disabled.
    pub(super) fn state_implied(&mut self, disabled: &BTreeSet<u32>) {
        if self.children.iter().any(|child| disabled.contains(child)) {
            return;
        }
        let children = self.children.len();
        let mut is_readable = true;
        let said = self.data.read(&mut |_, problem| {
            is_readable &= matches!(problem, KeyProblem::Unknown { .. });
        });
        let params = said.params.filter(|_| is_readable);
        let implied = params.and_then(|params| params.implied(children));
        let implied = implied.map(|(key, value)| (key.to_owned(), value));
        self.data.extra.extend(implied);
    }
}

impl Deref for AssetNode {
    type Target = NodeData;
    fn deref(&self) -> &NodeData {
        &self.data
    }
}

/// The content of a node in a file, but for its place in the tree.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeData {
    /// The file's `type`, spelt as there; not necessarily a kind that exists.
    pub kind: String,
    /// The comment that a person wrote on it.
    pub comment: String,
    /// Its colour as 0xRRGGBBAA.
    pub color: u32,
    /// True if an editor hides what is below it.
    pub is_collapsed: bool,
    /// The parameters of its kind, and its attachments; not necessarily those that the kind needs.
    pub extra: Map<String, Value>,
    /// Keys that this library does not know, kept as they are. One of a name that it does know is
    /// not written.
    pub others: Map<String, Value>,
}

impl NodeData {
    /// A node of a kind, white and without anything else.
    pub fn new(kind: impl Into<String>) -> NodeData {
        NodeData {
            kind: kind.into(),
            comment: String::new(),
            color: WHITE,
            is_collapsed: false,
            extra: Map::new(),
            others: Map::new(),
        }
    }

    /// Returns true if it is what a tree begins with.
    pub(super) fn is_root(&self) -> bool {
        kinds::root::is_root(&self.kind)
    }

    /// The node as types. Unreadable parts are omitted or empty: [`check`](crate::tree::check::check())
    /// reports them.
    #[doc(hidden)]
    pub fn typed(&self) -> kinds::Node<'_> {
        self.read(&mut |_, _| {})
    }

    /// The same, and every problem with it.
    #[doc(hidden)]
    pub fn read(&self, problems: &mut kinds::Problems<'_>) -> kinds::Node<'_> {
        let path = Path::TOP.own("extra");
        kinds::Node::read(Kind::named(&self.kind), &self.extra, &path, problems)
    }

    /// Reports each thing that the node names, with its place below the node.
    ///
    /// ```
    /// use bt_core::TreeAsset;
    /// use bt_core::tree::asset::spec::{action, guard};
    ///
    /// let flee = action("flee").guard(guard("is_near").arg(9));
    /// let tree = TreeAsset::build("t", "sheep", flee);
    /// let node = tree.node(tree.root().children()[0]).unwrap();
    /// let mut calls = Vec::new();
    /// node.uses(&mut |path, used| {
    ///     let (caller, call) = used.call().unwrap();
    ///     calls.push((call.name, path.key(caller.keys().0).pointer()));
    /// });
    /// assert_eq!(calls[0], ("flee", "/extra/action_name".to_owned()));
    /// assert_eq!(calls[1], ("is_near", "/extra/guards/0/condition_name".to_owned()));
    /// ```
    #[doc(hidden)]
    pub fn uses<'t>(&'t self, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        self.typed().uses(&Path::TOP.own("extra"), report);
    }
}

/// The nodes of a tree: one is the root, each other one is the child of exactly one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Nodes {
    /// In the order of the file.
    pub(super) list: Vec<AssetNode>,
    /// The position of each node in `list`.
    pub(super) by_idx: BTreeMap<u32, usize>,
    pub(super) root: u32,
    /// The rest of the file, of a tree without its disabled nodes.
    pub(super) left_out: Option<Box<LeftOut>>,
}

impl Nodes {
    /// A root alone.
    pub(super) fn of_root(data: NodeData) -> Nodes {
        let root = AssetNode {
            idx: 0,
            parent: None,
            children: Vec::new(),
            data,
            in_script: None,
        };
        Nodes {
            list: vec![root],
            by_idx: BTreeMap::from([(0, 0)]),
            root: 0,
            left_out: None,
        }
    }

    pub(super) fn get(&self, idx: u32) -> Option<&AssetNode> {
        // In most files nodes stand at the place that is their number.
        let here = self.list.get(idx as usize).filter(|node| node.idx == idx);
        here.or_else(|| self.by_idx.get(&idx).map(|at| &self.list[*at]))
    }

    pub(super) fn get_mut(&mut self, idx: u32) -> Option<&mut AssetNode> {
        self.by_idx.get(&idx).map(|at| &mut self.list[*at])
    }

    /// Adds a node as the child of another at a place among its children; its `idx`, which no node
    /// has had as long as numbers last.
    pub(super) fn add(&mut self, parent: u32, at: usize, data: NodeData) -> u32 {
        let idx = self.free();
        if let Some(parent) = self.get_mut(parent) {
            parent.children.insert(at, idx);
        }
        self.by_idx.insert(idx, self.list.len());
        self.list.push(AssetNode {
            idx,
            parent: Some(parent),
            children: Vec::new(),
            data,
            in_script: None,
        });
        idx
    }

    fn free(&self) -> u32 {
        let last = self.by_idx.last_key_value();
        if let Some(next) = last.map_or(Some(0), |(last, _)| last.checked_add(1)) {
            return next;
        }
        let taken = self.by_idx.keys();
        (0..)
            .zip(taken)
            .find(|(i, taken)| i != *taken)
            .map_or(0, |(i, _)| i)
    }

    /// The nodes from one downwards, each before what is below it, with how far below it is.
    pub(super) fn preorder(&self, from: u32) -> impl Iterator<Item = (usize, &AssetNode)> {
        let mut next: Vec<(usize, u32)> = vec![(0, from)];
        std::iter::from_fn(move || {
            let (depth, idx) = next.pop()?;
            let node = self.get(idx)?;
            next.extend(node.children.iter().rev().map(|child| (depth + 1, *child)));
            Some((depth, node))
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::TreeAsset;
    use crate::tree::asset::spec::{action, node};

    #[test]
    fn each_use_of_a_method_names_its_caller_and_place() {
        let attached = json!({
            "guards": [7, {"condition_name": "g", "condition_args": [
                {"arg_type": "plain", "arg_value": 1}
            ]}],
            "services": [{"seconds": 1, "action_name": "s"}],
            "effects": {"a/b": [{"action_name": "never"}], "exit": [{"action_name": 5}], "enter": "x"},
            "reset_if": {"condition_name": "r", "condition_args": [7]},
        });
        let named = |kind: &str| {
            let mut limit = node(kind).child(action("a"));
            limit.data.extra = attached.as_object().unwrap().clone();
            let tree = TreeAsset::build("t", "x", limit);
            let mut calls = Vec::new();
            for node in tree.preorder() {
                node.uses(&mut |path, used| {
                    let (caller, call) = used.call().unwrap();
                    let args = call.args.all().map(<[_]>::len);
                    let list = path.key(caller.keys().1).pointer();
                    calls.push((format!("{caller:?} {}", call.name), list, args));
                });
            }
            calls
        };
        let call = |who: &str, list: &str, args| (who.to_owned(), format!("/extra{list}"), args);
        let attached = [
            call("Guard ", "/guards/0/condition_args", Some(0)),
            call("Guard g", "/guards/1/condition_args", Some(1)),
            call("Effect ", "/effects/exit/0/action_args", Some(0)),
            call("Service s", "/services/0/action_args", Some(0)),
            call("Action a", "/action_args", Some(0)),
        ];
        let calls = named("run_limit");
        assert_eq!(
            calls[0],
            call("ResetIf r", "/reset_if/condition_args", None)
        );
        assert_eq!(calls[1..], attached);
        assert_eq!(named("of no kind"), attached);
    }
}

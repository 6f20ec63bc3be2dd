//! Changes to a tree's structure, each of which leaves a tree.

use crate::tree::Code;
use std::collections::BTreeMap;
use std::iter::successors;

use serde_json::json;

use super::problem::{AssetError, Problem};
use super::spec::NodeSpec;
use super::{MAX_DEPTH, MAX_NODES, TreeAsset};

impl TreeAsset {
    /// Puts a node, with what is below it, at a place among the children of `parent`; its `idx`. New
    /// nodes are the last of the file and take numbers that none had before.
    ///
    /// ```
    /// # use bt_core::TreeAsset;
    /// # use bt_core::tree::asset::spec::{action, sequence};
    /// # fn main() -> Result<(), bt_core::AssetError> {
    /// let mut tree = TreeAsset::build("t.json", "monster_agent", sequence([action("chase")]));
    /// let attack = tree.insert(1, 1, action("attack"))?;
    /// assert_eq!(tree.node(1).unwrap().children(), [2, attack]);
    /// let cut = tree.remove(attack)?;
    /// assert_eq!(cut, action("attack"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// No such parent, a place after its last child, or a tree that would go over [`MAX_NODES`] or
    /// [`MAX_DEPTH`]; nothing is changed then.
    pub fn insert(&mut self, parent: u32, at: usize, node: NodeSpec) -> Result<u32, AssetError> {
        self.place(parent, at)?;
        let (count, height) = node.size();
        if self.nodes.list.len() + count > MAX_NODES {
            return Err(self.refused(parent, format!("more than {MAX_NODES} nodes")));
        }
        self.fits_below(parent, height)?;
        Ok(self.graft(parent, at, node))
    }

    /// Takes a node out, with what is below it, and gives it back.
    ///
    /// # Errors
    /// No such node, or the root.
    pub fn remove(&mut self, idx: u32) -> Result<NodeSpec, AssetError> {
        let parent = self.parent_of(idx)?;
        let spec = NodeSpec::of(&self.nodes, idx);
        let gone: Vec<u32> = self.nodes.preorder(idx).map(|(_, node)| node.idx).collect();
        if let Some(parent) = self.nodes.get_mut(parent) {
            parent.children.retain(|child| *child != idx);
        }
        for idx in gone {
            self.nodes.by_idx.remove(&idx);
        }
        let by_idx = &mut self.nodes.by_idx;
        self.nodes
            .list
            .retain(|node| by_idx.contains_key(&node.idx));
        self.index();
        Ok(spec)
    }

    /// A copy of a node, with what is below it.
    pub fn copy(&self, idx: u32) -> Option<NodeSpec> {
        self.node(idx)?;
        Some(NodeSpec::of(&self.nodes, idx))
    }

    /// Moves a node, with what is below it, to a place among the children of `parent`; where that is
    /// its parent already, among the other ones.
    ///
    /// # Errors
    /// No such node or parent, the root, a parent that is below the node, a place after the last
    /// child, or a tree that would be deeper than [`MAX_DEPTH`]; nothing is changed then.
    pub fn move_to(&mut self, idx: u32, parent: u32, at: usize) -> Result<(), AssetError> {
        let old = self.parent_of(idx)?;
        let others = self.place(parent, at)? - usize::from(old == parent);
        if at > others {
            return Err(self.no_place(parent, at, others));
        }
        let mut height = 0;
        for (depth, node) in self.nodes.preorder(idx) {
            if node.idx == parent {
                let message = match idx == parent {
                    true => "cannot go below itself".to_owned(),
                    false => format!("cannot go below node {parent}, which is below it"),
                };
                return Err(self.refused(idx, message));
            }
            height = height.max(depth + 1);
        }
        self.fits_below(parent, height)?;
        if let Some(old) = self.nodes.get_mut(old) {
            old.children.retain(|child| *child != idx);
        }
        if let Some(new) = self.nodes.get_mut(parent) {
            new.children.insert(at, idx);
        }
        if let Some(node) = self.nodes.get_mut(idx) {
            node.parent = Some(parent);
        }
        Ok(())
    }

    /// Gives the file the keys that it lacks, and the nodes the order and the numbers in which they
    /// stand in the tree: the root is 0, each node comes before those below it.
    pub fn normalise(&mut self) {
        let new: BTreeMap<u32, u32> = self.preorder().map(|node| node.idx).zip(0..).collect();
        let list = &mut self.nodes.list;
        for node in list.iter_mut() {
            node.idx = new[&node.idx];
            node.parent = node.parent.map(|parent| new[&parent]);
            for child in &mut node.children {
                *child = new[child];
            }
        }
        list.sort_unstable_by_key(|node| node.idx);
        self.nodes.root = 0;
        self.index();
        self.fill_in();
    }

    /// Gives the file the keys that the original's editor asks for.
    pub(super) fn fill_in(&mut self) {
        for (key, value) in [
            ("name", json!(self.name)),
            ("extra", json!({})),
            ("tree_type", json!("")),
            ("signature", json!("")),
        ] {
            self.keys.entry(key).or_insert(value);
        }
    }

    /// Makes a spec the whole tree below a root that has nothing below it.
    pub(super) fn plant(&mut self, top: NodeSpec) {
        let root = self.nodes.root;
        if !top.data.is_root() {
            self.graft(root, 0, top);
            return;
        }
        if let Some(data) = self.node_mut(root) {
            *data = top.data;
        }
        for (at, child) in top.children.into_iter().enumerate() {
            self.graft(root, at, child);
        }
    }

    fn graft(&mut self, parent: u32, at: usize, top: NodeSpec) -> u32 {
        let first = self.nodes.add(parent, at, top.data);
        // The next one is the last: numbers go downwards, then to the right.
        let mut next = Vec::new();
        let below = |parent: u32, children: Vec<NodeSpec>| {
            children.into_iter().rev().map(move |child| (parent, child))
        };
        next.extend(below(first, top.children));
        while let Some((parent, spec)) = next.pop() {
            let at = self.nodes.get(parent).map_or(0, |node| node.children.len());
            let idx = self.nodes.add(parent, at, spec.data);
            next.extend(below(idx, spec.children));
        }
        first
    }

    /// Finds the nodes again after some have moved within the list.
    fn index(&mut self) {
        let list = self.nodes.list.iter().enumerate();
        self.nodes.by_idx = list.map(|(at, node)| (node.idx, at)).collect();
    }

    fn refused(&self, idx: u32, message: String) -> AssetError {
        let idx = self.node(idx).map(|node| node.idx);
        Problem::new(Code::RefusedEdit, &self.name, message)
            .of_node(idx)
            .into()
    }

    fn parent_of(&self, idx: u32) -> Result<u32, AssetError> {
        let Some(node) = self.node(idx) else {
            return Err(self.refused(idx, format!("there is no node {idx}")));
        };
        node.parent
            .ok_or_else(|| self.refused(idx, "is the root, which stays".to_owned()))
    }

    /// Returns the number of a node's children, if one of them can be at that place or come next.
    fn place(&self, parent: u32, at: usize) -> Result<usize, AssetError> {
        match self.node(parent).map(|node| node.children.len()) {
            None => Err(self.refused(parent, format!("there is no node {parent}"))),
            Some(children) if at > children => Err(self.no_place(parent, at, children)),
            Some(children) => Ok(children),
        }
    }

    fn no_place(&self, parent: u32, at: usize, children: usize) -> AssetError {
        let message = format!("a new child is at most its child {children}, not {at}");
        self.refused(parent, message)
    }

    fn fits_below(&self, parent: u32, height: usize) -> Result<(), AssetError> {
        let above = successors(self.node(parent), |node| self.node(node.parent?)).count();
        if above + height > MAX_DEPTH {
            let message = format!("more than {MAX_DEPTH} nodes below one another");
            return Err(self.refused(parent, message));
        }
        Ok(())
    }
}

//! The map from the nodes of one set of trees to those of another.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::same;
use crate::tree::plan::{NONE, Plan, PlanTree};

/// New names of trees and new numbers of nodes, from whoever changed them: else a tree is known by its name,
/// and a node by its `idx`.
///
/// ```
/// use bt_core::reload::Renamed;
///
/// let mut renamed = Renamed::new();
/// renamed.tree("hunt.json", "chase.json").node("hunt.json", 3, 30);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Renamed {
    trees: BTreeMap<Box<str>, Box<str>>,
    nodes: BTreeMap<Box<str>, BTreeMap<u32, u32>>,
}

impl Renamed {
    /// Nothing was renamed.
    pub fn new() -> Renamed {
        Renamed::default()
    }

    /// A tree has another name now.
    pub fn tree(&mut self, before: &str, now: &str) -> &mut Renamed {
        self.trees.insert(before.into(), now.into());
        self
    }

    /// A node of a tree, by the tree's name before, has another `idx` now. Nodes of that tree that are not
    /// named keep theirs.
    pub fn node(&mut self, tree: &str, before: u32, now: u32) -> &mut Renamed {
        let nodes = self.nodes.entry(tree.into()).or_default();
        nodes.insert(before, now);
        self
    }

    /// The name that a tree has now, if it has another.
    pub(crate) fn tree_now(&self, before: &str) -> Option<&str> {
        self.trees.get(before).map(|now| &**now)
    }

    /// The names that trees had before, of those that have others now.
    pub(crate) fn trees(&self) -> impl Iterator<Item = &str> {
        self.trees.keys().map(|before| &**before)
    }

    /// The numbers that nodes of a tree have now, if it says of any.
    pub(crate) fn numbers(&self, tree: &str) -> Option<&BTreeMap<u32, u32>> {
        self.nodes.get(tree)
    }
}

/// The nodes of one set of trees in another.
#[derive(Debug)]
pub(crate) struct Map {
    /// By the numbers of the old nodes: the same node; [`NONE`] of one that is gone.
    nodes: Box<[u32]>,
    /// The same of trees.
    trees: Box<[u32]>,
    /// The other way round, of nodes.
    back: Box<[u32]>,
    /// By the numbers of the old nodes: whether an agent of which it is active sees a change.
    touched: Box<[bool]>,
    /// True if no tree means anything else than before.
    pub(crate) is_same: bool,
}

impl Map {
    pub(crate) fn new(old: &Plan, new: &Plan, renamed: &Renamed) -> Map {
        let mut map = Map {
            nodes: vec![NONE; old.nodes.len()].into(),
            trees: vec![NONE; old.trees.len()].into(),
            back: vec![NONE; new.nodes.len()].into(),
            touched: Box::default(),
            is_same: old.trees.len() == new.trees.len(),
        };
        for (number, tree) in old.trees.iter().enumerate() {
            let name = renamed.tree_now(&tree.name).unwrap_or(&tree.name);
            let found = new.by_name.get(name);
            let Some(found) = found else {
                map.is_same = false;
                continue;
            };
            map.trees[number] = *found;
            map.tree(old, tree, new, &new.trees[*found as usize], renamed);
        }
        map.find_touched(old, new);
        map
    }

    fn find_touched(&mut self, old: &Plan, new: &Plan) {
        let nodes = 0..old.nodes.len() as u32;
        self.touched = match self.is_same {
            true => nodes.map(|node| self.node(node).is_none()).collect(),
            false => nodes.map(|node| self.touches(old, new, node)).collect(),
        };
        if self.is_same {
            return;
        }
        for node in 0..old.nodes.len() as u32 {
            if let Some(now) = self.node(node) {
                self.touch_watched(old, new, (node, now));
            }
        }
    }

    /// Returns true if an agent of which a node is active sees a change at once: the node, or its place, is
    /// another, or it enters a child that was added beside the one that runs, or forgets one. What the walk
    /// only reaches later is no such change.
    fn touches(&self, old: &Plan, new: &Plan, node: u32) -> bool {
        let Some(now) = self.node(node) else {
            return true;
        };
        let parent = self.node(old.parent(node)).unwrap_or(NONE);
        let kind = new.node(now).kind.behaviour();
        // A reactive node runs its children in every poll anyhow.
        let runs_many = kind.runs_many() && !kind.is_reactive();
        let children = |plan: &Plan, node| plan.children(node).collect::<Vec<_>>();
        old.info(node).meaning != new.info(now).meaning
            || parent != new.parent(now)
            || runs_many
                && !children(old, node)
                    .into_iter()
                    .map(|child| self.node(child))
                    .eq(children(new, now).into_iter().map(Some))
    }

    /// Of the children of a node those to whose left a guard is new, or another, that may take over from them: it
    /// is evaluated in the next turn.
    fn touch_watched(&mut self, old: &Plan, new: &Plan, (node, now): (u32, u32)) {
        // Up to which of the old children a guard that may take over was to the right.
        let mut to = 0;
        for child in new.children(now) {
            let was = self.was(child).filter(|was| old.parent(*was) == node);
            if let Some(was) = was {
                self.touched[was as usize] |= was < to;
            }
            if !new.guards(child).iter().any(|guard| guard.lower) {
                continue;
            }
            let same =
                was.filter(|was| same::are_guards(old, old.guards(*was), new, new.guards(child)));
            // Those to the left of a guard that was there did not see it, and of a new one none did.
            to = to.max(same.unwrap_or(NONE));
        }
    }

    /// Returns true if an agent of which that node is active sees a change at once.
    pub(crate) fn is_touched(&self, old: u32) -> bool {
        self.touched.get(old as usize).copied().unwrap_or(true)
    }

    fn tree(&mut self, old: &Plan, from: &PlanTree, new: &Plan, to: &PlanTree, renamed: &Renamed) {
        self.is_same &= from.hash == to.hash && from.name == to.name;
        let (nodes, others) = (old.nodes_of(from), new.nodes_of(to));
        let numbers = renamed.numbers(&from.name);
        if numbers.is_none() && is_equal(old, from, new, to) {
            for (node, other) in nodes.zip(others) {
                self.put(node, other);
            }
            return;
        }
        let by_idx: FxHashMap<u32, u32> = others.map(|node| (new.info(node).idx, node)).collect();
        for node in nodes {
            let info = old.info(node);
            let idx = numbers.and_then(|numbers| numbers.get(&info.idx));
            let found = by_idx.get(idx.unwrap_or(&info.idx)).copied();
            // A root is what its tree is.
            let found = if node == from.root {
                Some(to.root)
            } else {
                found
            };
            if let Some(found) = found.filter(|found| new.info(*found).kind == info.kind)
                && self.back[found as usize] == NONE
            {
                self.put(node, found);
            }
        }
    }

    fn put(&mut self, node: u32, now: u32) {
        self.nodes[node as usize] = now;
        self.back[now as usize] = node;
    }

    /// The same node of the changed trees.
    pub(crate) fn node(&self, old: u32) -> Option<u32> {
        let found = self.nodes.get(old as usize).copied()?;
        (found != NONE).then_some(found)
    }

    /// The node that one of the changed trees was.
    pub(crate) fn was(&self, new: u32) -> Option<u32> {
        let found = self.back.get(new as usize).copied()?;
        (found != NONE).then_some(found)
    }

    pub(crate) fn tree_now(&self, old: u32) -> Option<u32> {
        let found = self.trees.get(old as usize).copied()?;
        (found != NONE).then_some(found)
    }
}

/// Returns true if two trees are equal but for the numbers of their nodes.
fn is_equal(old: &Plan, from: &PlanTree, new: &Plan, to: &PlanTree) -> bool {
    let shape = |plan: &Plan, root: u32, node: u32| {
        let info = plan.info(node);
        (info.meaning, info.kind, plan.node(node).end - root)
    };
    let (nodes, others) = (old.nodes_of(from), new.nodes_of(to));
    nodes.len() == others.len()
        && nodes
            .zip(others)
            .all(|(node, other)| shape(old, from.root, node) == shape(new, to.root, other))
}

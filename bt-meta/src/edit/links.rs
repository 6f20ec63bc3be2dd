//! The planned order of nodes below each other.

use std::collections::{BTreeMap, BTreeSet};

use crate::text::style::New;
use bt_core::TreeAsset;

/// A node that is made.
#[derive(Debug)]
pub(super) struct Added {
    pub(super) idx: u32,
    pub(super) origin: Origin,
}

/// The content of a new node.
#[derive(Debug)]
pub(super) enum Origin {
    /// The content of another node.
    Copy(u32),
    /// Keys and values, but for those of its place.
    New(Vec<(String, New)>),
}

/// The planned order of nodes below each other. The tree stays as it is.
#[derive(Debug)]
pub(super) struct Links<'t> {
    tree: &'t TreeAsset,
    children: BTreeMap<u32, Vec<u32>>,
    parents: BTreeMap<u32, u32>,
    removed: BTreeSet<u32>,
    pub(super) added: Vec<Added>,
    /// The number of the next new node; none if there is none left.
    next: Option<u32>,
    /// The tops of what was made.
    tops: Vec<u32>,
    /// The nodes whose places others take: then they take their weights as well.
    stands_for: BTreeMap<u32, u32>,
}

impl<'t> Links<'t> {
    pub(super) fn of(tree: &'t TreeAsset) -> Links<'t> {
        let largest = tree.nodes().iter().map(|node| node.idx()).max();
        Links {
            tree,
            children: BTreeMap::new(),
            parents: BTreeMap::new(),
            removed: BTreeSet::new(),
            added: Vec::new(),
            next: largest.unwrap_or(0).checked_add(1),
            tops: Vec::new(),
            stands_for: BTreeMap::new(),
        }
    }

    pub(super) fn has(&self, idx: u32) -> bool {
        let is_new = self.added.iter().any(|added| added.idx == idx);
        !self.removed.contains(&idx) && (is_new || self.tree.node(idx).is_some())
    }

    /// That there is a node.
    pub(super) fn find(&self, idx: u32) -> Result<u32, String> {
        match self.has(idx) {
            true => Ok(idx),
            false => Err(format!("there is no node {idx}")),
        }
    }

    /// That there is a node, and it is not the root.
    pub(super) fn find_below(&self, idx: u32) -> Result<u32, String> {
        let idx = self.find(idx)?;
        match self.parent(idx) {
            Some(_) => Ok(idx),
            None => Err(format!("node {idx} is the root, which stays where it is")),
        }
    }

    pub(super) fn children(&self, idx: u32) -> Vec<u32> {
        let own = || {
            self.tree
                .node(idx)
                .map_or(&[][..], |node| node.children())
                .to_vec()
        };
        self.children.get(&idx).cloned().unwrap_or_else(own)
    }

    pub(super) fn parent(&self, idx: u32) -> Option<u32> {
        let own = || self.tree.node(idx)?.parent();
        self.parents.get(&idx).copied().or_else(own)
    }

    /// A node's place among its siblings.
    pub(super) fn place(&self, idx: u32) -> usize {
        let siblings = self.parent(idx).map(|parent| self.children(parent));
        let place = siblings.iter().flatten().position(|child| *child == idx);
        place.unwrap_or_default()
    }

    /// Returns true if a node is another, or below it.
    pub(super) fn is_in(&self, idx: u32, above: u32) -> bool {
        let mut at = Some(idx);
        while let Some(now) = at {
            if now == above {
                return true;
            }
            at = self.parent(now);
        }
        false
    }

    /// Those of some nodes that are below no other of them, each once.
    pub(super) fn tops(&self, nodes: &[u32]) -> Result<Vec<u32>, String> {
        let all: BTreeSet<u32> = nodes.iter().copied().collect();
        let mut seen = BTreeSet::new();
        let mut tops = Vec::new();
        for idx in nodes {
            self.find_below(*idx)?;
            let mut above = self.parent(*idx);
            while above.is_some_and(|above| !all.contains(&above)) {
                above = above.and_then(|above| self.parent(above));
            }
            if above.is_none() && seen.insert(*idx) {
                tops.push(*idx);
            }
        }
        match tops.is_empty() {
            true => Err("no node is named: expected the `idx` of one at least".to_owned()),
            false => Ok(tops),
        }
    }

    /// Puts nodes below another. They are taken from where they are.
    pub(super) fn put(
        &mut self,
        nodes: &[u32],
        parent: u32,
        at: Option<u32>,
    ) -> Result<(), String> {
        for idx in nodes {
            self.take(*idx);
        }
        let mut children = self.children(parent);
        let at = at.map_or(children.len(), |at| at as usize);
        if at > children.len() {
            return Err(format!(
                "node {parent} has {} children then: a new one is at most its child {0}, not {at}",
                children.len()
            ));
        }
        children.splice(at..at, nodes.iter().copied());
        self.children.insert(parent, children);
        for idx in nodes {
            self.parents.insert(*idx, parent);
        }
        Ok(())
    }

    /// Takes a node from where it is.
    fn take(&mut self, idx: u32) {
        if let Some(parent) = self.parent(idx) {
            let mut children = self.children(parent);
            let before = children.len();
            children.retain(|child| *child != idx);
            if children.len() != before {
                self.children.insert(parent, children);
            }
        }
    }

    /// Removes a node and what is below it.
    pub(super) fn remove(&mut self, idx: u32) {
        self.take(idx);
        let mut next = vec![idx];
        while let Some(idx) = next.pop() {
            next.extend(self.children(idx));
            self.removed.insert(idx);
        }
    }

    /// Removes a node, and puts what is below it in its place.
    pub(super) fn dissolve(&mut self, idx: u32) -> Result<(), String> {
        let Some(parent) = self.parent(idx) else {
            return Err(format!("node {idx} is the root, which stays where it is"));
        };
        let children = self.children(idx);
        let at = u32::try_from(self.place(idx)).ok();
        self.take(idx);
        for child in &children {
            self.stands_for.insert(*child, idx);
        }
        self.put(&children, parent, at)?;
        self.removed.insert(idx);
        Ok(())
    }

    /// Makes a node that is below none yet.
    pub(super) fn add(&mut self, origin: Origin) -> Result<u32, String> {
        let idx = self
            .next
            .ok_or("no number remains for a node: renumber the tree first")?;
        self.add_as(idx, origin)
    }

    /// The same with a number that no node has.
    pub(super) fn add_as(&mut self, idx: u32, origin: Origin) -> Result<u32, String> {
        if self.next.is_some_and(|next| next <= idx) {
            self.next = idx.checked_add(1);
        }
        if let Origin::Copy(of) = origin {
            self.stands_for.insert(idx, of);
        }
        self.added.push(Added { idx, origin });
        self.children.insert(idx, Vec::new());
        Ok(idx)
    }

    /// A node takes the place of another.
    pub(super) fn replace(&mut self, idx: u32, other: u32) {
        self.stands_for.insert(idx, other);
    }

    /// The node whose place another takes, or itself.
    pub(super) fn stood(&self, idx: u32) -> u32 {
        self.stands_for.get(&idx).copied().unwrap_or(idx)
    }

    /// Adds a node to those that the client hears are new.
    pub(super) fn show(&mut self, idx: u32) {
        self.tops.push(idx);
    }

    pub(super) fn created(&self) -> Vec<u32> {
        self.tops.clone()
    }

    /// The nodes of the file that have other children.
    pub(super) fn changed_children(&self) -> Vec<(u32, Vec<u32>)> {
        let changed = self.children.iter().filter(|(idx, children)| {
            let own = self.tree.node(**idx);
            !self.removed.contains(idx)
                && own.is_some_and(|own| own.children() != children.as_slice())
        });
        changed
            .map(|(idx, children)| (*idx, children.clone()))
            .collect()
    }

    /// The nodes of the file that are below another node.
    pub(super) fn changed_parents(&self) -> Vec<(u32, u32)> {
        let changed = self.parents.iter().filter(|(idx, parent)| {
            let own = self.tree.node(**idx);
            !self.removed.contains(idx) && own.is_some_and(|own| own.parent() != Some(**parent))
        });
        changed.map(|(idx, parent)| (*idx, *parent)).collect()
    }

    /// The nodes of the file that are gone.
    pub(super) fn removed(&self) -> impl Iterator<Item = u32> {
        self.removed.iter().copied()
    }
}

//! Lints: what works in a tree and is probably not meant.
//!
//! [`lint()`] reports on one tree at a time, [`together()`] on what only all trees show. The runtime runs no
//! lints: they take longer than building the trees.

mod calls;
mod due;
mod guards;
mod keys;
mod linter;
mod lost;
mod original;
mod outcome;
mod parallel;
mod reactive;
mod together;

use std::collections::HashMap;

use bt_core::kinds::Params;
use bt_core::tree::Code;
use bt_core::tree::asset::{AssetNode, Problem, TreeAsset};
use bt_core::tree::check::{Checker, Owner, declared};

use calls::Calls;
use keys::{Keys, Spot};
use linter::Linter;
use lost::Writes;
use outcome::Outcome;

pub use keys::{in_braces, is_template, named_key};
pub use together::together;

/// The codes that [`together()`] reports.
pub const SHOWN_BY_ALL: &[Code] = &[
    Code::NeverWaits,
    Code::UnsetKey,
    Code::UnreadKey,
    Code::UnusedTree,
    Code::LostUpdate,
    Code::EndlessRecursion,
];

/// The findings of the lints in one tree, and the facts that [`together()`] needs of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Linted {
    /// The problems of the tree by itself.
    pub problems: Vec<Problem>,
    name: String,
    /// The place of its root in the file.
    root: String,
    root_idx: u32,
    /// It begins again when it has ended.
    again: bool,
    /// Something in it, sub-trees left aside, can be running when a poll ends.
    waits: bool,
    /// It needs a value that another tree hands to it.
    takes_values: bool,
    keys: Keys,
    writes: Writes,
    calls: Calls,
    /// The JSON pointers of the nodes that [`together()`] may report.
    places: HashMap<u32, String>,
}

/// Runs the lints of one tree. They suppose that [`Checker::check`] finds no problem in it.
///
/// ```
/// use bt_core::tree::Code;
/// use bt_core::tree::asset::spec::{action, node, sequence};
/// use bt_core::tree::check::{Checker, Rules};
/// use bt_core::{Registry, TreeAsset};
///
/// let top = sequence([node("always_running"), action("nop")]);
/// let trees = [TreeAsset::build("stuck.json", "action_agent", top)];
/// let rules = Rules::default();
/// let checker = Checker::new(&trees, Registry::global()?, &rules);
/// let linted = bt_meta::lint::lint(&checker, &trees[0]);
/// assert!(linted.problems.iter().any(|found| found.code() == Code::Unreachable));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn lint(checker: &Checker<'_>, tree: &TreeAsset) -> Linted {
    // What is disabled is not there.
    let tree = &*tree.enabled();
    let mut linter = Linter {
        tree,
        checker,
        problems: Vec::new(),
    };
    let mut keys = Keys::default();
    let mut writes = Writes::default();
    let mut waits = false;
    for node in tree.preorder() {
        let said = node.typed();
        keys.node(&linter, node, &said);
        writes.node(&linter, node, &said);
        waits |= outcome::waits(&linter, node, &said);
        guards::idle(&mut linter, node, &said);
        due::always(&mut linter, node, &said);
        original::editor(&mut linter, node, &said);
        parallel::racing(&mut linter, node, &said);
        reactive::restarting(&mut linter, node, &said);
    }
    let mut calls = Calls::default();
    linter.go_upwards(&mut calls);
    let root = tree.root();
    let mut linted = Linted {
        name: tree.name().to_owned(),
        root: tree.pointer(root.idx()).unwrap_or_default(),
        root_idx: root.idx(),
        again: matches!(root.typed().params, Some(Params::Root(root)) if root.is_loop()),
        waits,
        takes_values: takes_values(root, &keys),
        problems: linter.problems,
        places: HashMap::new(),
        keys,
        writes,
        calls,
    };
    linted.remember(tree);
    linted
}

/// Returns true if a tree has a key of its own that it reads and that only a caller can have set.
fn takes_values(root: &AssetNode, keys: &Keys) -> bool {
    declared(root).any(|key| {
        let is_own = key.owner == Owner::OneTree && key.initial.is_none();
        is_own && keys.read.contains_key(key.key) && !keys.set.contains_key(key.key)
    })
}

impl Linted {
    /// Keeps the JSON pointers of the nodes that [`together()`] may report.
    fn remember(&mut self, tree: &TreeAsset) {
        let keys = &self.keys;
        let spots = keys.read.values().chain(keys.set.values());
        for spot in spots.chain(self.calls.spots()).chain(self.writes.spots()) {
            if let Some(pointer) = tree.pointer(spot.node) {
                self.places.insert(spot.node, pointer);
            }
        }
    }

    fn problem(&self, code: Code, spot: &Spot, message: String) -> Problem {
        let node = self.places.get(&spot.node).map_or("", String::as_str);
        Problem::new(code, &self.name, message)
            .of_node(spot.node)
            .at(format!("{node}{}", spot.below))
    }

    fn problem_of_root(&self, code: Code, message: String) -> Problem {
        Problem::new(code, &self.name, message)
            .of_node(self.root_idx)
            .at(self.root.as_str())
    }
}

/// The outcomes of each node that is built, by its number: what its kind, its call and its children allow, guards left
/// aside.
pub(crate) fn outcomes(checker: &Checker<'_>, tree: &TreeAsset) -> HashMap<u32, Outcome> {
    let tree = &*tree.enabled();
    let linter = Linter {
        tree,
        checker,
        problems: Vec::new(),
    };
    let nodes: Vec<&AssetNode> = tree.preorder().collect();
    let (mut own, mut guarded) = (HashMap::new(), HashMap::new());
    for node in nodes.iter().rev() {
        let children = node.children().iter();
        let children = children.map(|child| guarded.get(child).copied().unwrap_or(Outcome::ANY));
        let children: Vec<_> = children.collect();
        let said = node.typed();
        own.insert(node.idx(), outcome::unguarded(&linter, &said, &children));
        let whole = outcome::outcome(&linter, &said, &children);
        guarded.insert(node.idx(), whole);
    }
    own
}

impl Linter<'_, '_> {
    /// A node's outcome follows from those of its children.
    fn go_upwards(&mut self, calls: &mut Calls) {
        let tree = self.tree;
        let nodes: Vec<&AssetNode> = tree.preorder().collect();
        let mut outcomes: HashMap<u32, Outcome> = HashMap::with_capacity(nodes.len());
        let mut unreachable = Vec::new();
        for node in nodes.iter().rev() {
            let children: Vec<Outcome> = node
                .children()
                .iter()
                .map(|child| outcomes.get(child).copied().unwrap_or(Outcome::ANY))
                .collect();
            let said = node.typed();
            calls.node(node, &said, &children);
            unreachable.extend(outcome::first_unreachable(node, &said, &children));
            outcomes.insert(node.idx(), outcome::outcome(self, &said, &children));
        }
        unreachable.reverse();
        for (child, before, can) in unreachable {
            if let (Some(child), Some(before)) = (tree.node(child), tree.node(before)) {
                self.never_runs(child, before, can);
            }
        }
    }

    fn never_runs(&mut self, child: &AssetNode, before: &AssetNode, cannot: &str) {
        let (idx, kind) = (before.idx(), &before.kind);
        let message = format!("it never runs: node {idx} (`{kind}`) before it {cannot}");
        let help = "put it before that node, or take it out";
        self.report(Code::Unreachable, child, "", message, help);
    }
}

#[cfg(test)]
mod tests;

//! The description of a saved agent's active nodes, for trees that have changed when it is restored.

use std::collections::BTreeSet;

use super::Saving;
use super::settings::hash_text;
use crate::snapshot::format::{Described, Known};
use crate::tree::asset::TreeAsset;
use crate::tree::plan::NONE;

/// The trees as their files say them, and the exit methods of calls.
struct Source<'s> {
    trees: &'s [TreeAsset],
    exit: &'s dyn Fn(u32) -> Option<&'static str>,
    /// The nodes that are described, with those above them.
    known: BTreeSet<u32>,
}

impl Saving<'_> {
    /// The nodes that matter of each tree that is named, from its root.
    pub(super) fn described(
        &self,
        trees: &[u32],
        source: &[TreeAsset],
        exit: &dyn Fn(u32) -> Option<&'static str>,
    ) -> Vec<Vec<Described>> {
        let known = self.described_nodes(trees);
        let source = Source {
            trees: source,
            exit,
            known,
        };
        let roots = trees.iter();
        let roots = roots.map(|tree| self.plan.trees[*tree as usize].root);
        roots.map(|root| self.describe(root, &source)).collect()
    }

    /// The nodes that what was saved names, those that declare keys, and all above them.
    fn described_nodes(&self, trees: &[u32]) -> BTreeSet<u32> {
        let plan = self.plan;
        let trees = trees.iter().map(|tree| &plan.trees[*tree as usize]);
        let mut nodes = self.described.take();
        nodes.extend(trees.clone().map(|tree| tree.root));
        // Keys of a run of a tree are known by their places among all that its nodes declare.
        let scoped = trees.filter(|tree| tree.scoped);
        let declares = |node: &u32| plan.info(*node).scope != plan.outer_scope(*node);
        nodes.extend(scoped.flat_map(|tree| plan.nodes_of(tree).filter(declares)));
        let mut known = BTreeSet::new();
        for node in nodes {
            let mut at = node;
            while at != NONE && known.insert(at) {
                at = plan.parent(at);
            }
        }
        known
    }

    fn describe(&self, root: u32, source: &Source<'_>) -> Vec<Described> {
        let mut described = Vec::new();
        let mut next = vec![root];
        while let Some(node) = next.pop() {
            let info = self.plan.info(node);
            if !source.known.contains(&node) {
                described.push(Described::Other(info.idx, info.kind.to_owned()));
                continue;
            }
            let said = source.trees[info.tree as usize].node(info.idx);
            let place = node - root;
            let action = self.plan.node(node).kind.action();
            let action = action.filter(|_| self.plan.node(node).exits);
            let shape = self.plan.trees[info.tree as usize].shape;
            let children: Vec<u32> = self.plan.children(node).collect();
            described.push(Described::Known(Box::new(Known {
                idx: info.idx,
                kind: info.kind.to_owned(),
                place: (place != info.idx).then_some(place),
                shape: (node == root).then(|| hash_text(shape)),
                extra: said.map_or_else(Default::default, |said| said.extra.clone()),
                exit: action.and_then(source.exit).map(str::to_owned),
                children: children.len() as u32,
            })));
            next.extend(children.iter().rev());
        }
        described
    }
}

//! The runs of trees that are in use, and the trees that matter.

use rustc_hash::FxHashMap;

use super::Saving;
use crate::run::node_ref::NOWHERE;
use crate::snapshot::format;

impl Saving<'_> {
    /// Numbers the runs of trees by where they are called from: however they came about, the same
    /// state gives the same numbers.
    pub(super) fn number_frames(&mut self) {
        let (plan, core) = (self.plan, self.core);
        // What is called from each frame, and in which frames something is.
        let mut called: FxHashMap<u32, Vec<(u32, u32, u32)>> = FxHashMap::default();
        for stage in &self.stages {
            for entry in stage.entries {
                let mut at = entry.at;
                while at.frame != stage.base {
                    let caller = core.frame(at.frame).caller;
                    let known = called.entry(caller.frame).or_default();
                    let tree = plan.info(at.node).tree;
                    let call = (caller.node, at.frame, tree);
                    if known.contains(&call) || caller == NOWHERE {
                        break;
                    }
                    known.push(call);
                    at = caller;
                }
            }
        }
        for stage in &self.stages {
            let first = self.frames.len();
            self.frames.push((stage.base, plan.info(stage.root).tree));
            let mut next = first;
            while let Some((frame, _)) = self.frames.get(next).copied() {
                let mut calls = called.remove(&frame).unwrap_or_default();
                calls.sort_unstable();
                self.frames
                    .extend(calls.into_iter().map(|(_, frame, tree)| (frame, tree)));
                next += 1;
            }
        }
        let numbers = self.frames.iter().zip(0..);
        self.numbers = numbers
            .map(|((frame, _), number)| (*frame, number))
            .collect();
    }

    /// Collects the trees that have to be the same when the agent is restored.
    pub(super) fn name_trees(&mut self) {
        let mut trees: Vec<_> = self.frames.iter().map(|(_, tree)| *tree).collect();
        let cold = || self.core.cold.iter();
        let kept = cold().flat_map(|cold| self.retaining(cold));
        trees.extend(kept.map(|node| self.plan.info(node).tree));
        let refused = cold().flat_map(|cold| cold.observers.failed_guards());
        trees.extend(refused.map(|node| self.plan.info(*node).tree));
        let followed = cold().flat_map(|cold| self.each_followed(cold));
        trees.extend(followed.map(|(node, _)| self.plan.info(node).tree));
        trees.extend(self.transferring().map(|node| self.plan.info(node).tree));
        let plan = self.plan;
        trees.sort_unstable_by_key(|tree| &plan.trees[*tree as usize].name);
        trees.dedup();
        self.trees = trees;
    }

    pub(super) fn frame(&self, frame: u32, tree: u32) -> format::Frame {
        let found = self.core.frame(frame);
        let tree_of = &self.plan.trees[tree as usize];
        let board = self.core.session.board();
        let keys = found.board.filter(|_| tree_of.scoped).map(|open| {
            let saved = board.saved_frame(tree_of.scope, open);
            format::FrameKeys {
                set: saved.set,
                unset: saved.unset,
                observed: saved.observed,
            }
        });
        format::Frame {
            tree: self.tree(tree),
            caller: (found.caller != NOWHERE).then(|| self.place(found.caller)),
            keys,
        }
    }
}

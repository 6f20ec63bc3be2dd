//! The runs of trees that are in use, and the trees that matter.

use rustc_hash::FxHashMap;

use super::Saving;
use super::settings::hash_text;
use crate::run::node_ref::{NOWHERE, SavedFrame};
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

    /// Numbers the trees that have to be the same when the agent is restored, by their names, in place of their
    /// numbers in the plan. Returns those.
    pub(super) fn number_trees(&self, parts: &mut format::Parts) -> Vec<u32> {
        let plan = self.plan;
        let frames = parts.frames.iter_mut().map(|frame| &mut frame.tree);
        let kept = parts.kept.iter_mut().map(|(tree, ..)| tree);
        let failed_guards = parts.failed_guards.iter_mut().map(|(tree, _)| tree);
        let followed = parts.followed.iter_mut().map(|(tree, ..)| tree);
        let numbers: Vec<&mut u32> = frames
            .chain(kept)
            .chain(failed_guards)
            .chain(followed)
            .collect();
        let mut trees: Vec<u32> = numbers.iter().map(|tree| **tree).collect();
        trees.extend(self.transferring().map(|node| plan.info(node).tree));
        let name = |tree: &u32| &plan.trees[*tree as usize].name;
        trees.sort_unstable_by_key(name);
        trees.dedup();
        for tree in numbers {
            let number = trees.iter().position(|known| known == tree);
            *tree = number.unwrap_or_default() as u32;
        }
        let hash = |tree: &u32| hash_text(plan.trees[*tree as usize].hash);
        let named = trees
            .iter()
            .map(|tree| (name(tree).to_string(), hash(tree)));
        parts.trees = named.collect();
        trees
    }

    pub(super) fn frame(&self, frame: u32, tree: u32) -> SavedFrame {
        let found = self.core.frame(frame);
        let of = &self.plan.trees[tree as usize];
        let board = self.core.session.board();
        let open = found.board.filter(|_| of.scoped);
        SavedFrame {
            tree,
            caller: (found.caller != NOWHERE).then(|| self.place(found.caller)),
            depth: 0,
            level: 0,
            board: open.map(|open| board.saved_frame(of.scope, open)),
        }
    }
}

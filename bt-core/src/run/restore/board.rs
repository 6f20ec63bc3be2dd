//! The blackboard of an agent that is restored.

use super::problems::Result;
use super::restoring::Restoring;
use crate::blackboard::{Blackboard, KeyError, TreeFrame};
use crate::run::node_ref::SavedFrame;
use crate::snapshot::RestoreError;
use crate::snapshot::format::Parts;
use crate::tree::plan::Plan;

/// The greatest number of keys that an agent is restored with.
const MOST: usize = 1 << 26;

impl Restoring<'_> {
    /// The agent's keys.
    pub(super) fn keys(&mut self) -> Result<()> {
        check_count(self.plan, self.parts)?;
        let board = self.core.session.board();
        let mut refused = Ok(());
        agent_keys(board, self.parts, |why| {
            let why = format!(
                "{why}; restore with the trees of that time, or `restore_or_restart` to begin the \
                 current tree anew"
            );
            refused = Err(RestoreError::changed(why));
        });
        refused
    }

    /// The keys of a run of a tree.
    pub(super) fn frame_keys(&self, tree: u32, saved: &SavedFrame) -> Result<Option<TreeFrame>> {
        let tree = &self.plan.trees[tree as usize];
        let Some(keys) = &saved.board else {
            return Ok(None);
        };
        if !tree.scoped {
            let why = format!("`{}` has no keys of its own", tree.name);
            return Err(RestoreError::malformed(why));
        }
        let board = self.core.session.board();
        let frame = board.open(tree.scope);
        let key = |at: u32| {
            board.frame_key(tree.scope, frame, at).ok_or_else(|| {
                RestoreError::malformed(format!("`{}` has no key {at} of its own", tree.name))
            })
        };
        let unset = keys.unset.iter().map(|at| (*at, None));
        let set = keys.set.iter().map(|(at, value)| (*at, Some(value)));
        for (at, value) in unset.chain(set) {
            let restored = board.restore_key(key(at)?, value.cloned());
            restored.map_err(|why| RestoreError::malformed(why.to_string()))?;
        }
        for at in &keys.observed {
            board.observe(key(*at)?);
        }
        Ok(Some(frame))
    }
}

/// Refuses more keys than a blackboard has.
pub(super) fn check_count(plan: &Plan, parts: &Parts) -> Result<()> {
    let frames = parts.frames.len().saturating_mul(plan.keys.most_locals());
    let own = parts.board.set.len() + parts.board.unset.len() + parts.board.observed.len();
    if own.saturating_add(frames) > MOST {
        let why = format!("it has more than {MOST} blackboard keys");
        return Err(RestoreError::malformed(why));
    }
    Ok(())
}

/// Writes the agent's keys, but for those that cannot hold what was saved.
pub(super) fn agent_keys(board: &Blackboard, parts: &Parts, mut refused: impl FnMut(KeyError)) {
    for key in &parts.board.unset {
        board.remove(key);
    }
    for (key, value) in &parts.board.set {
        if let Err(why) = board.restore_key(board.intern(key), Some(value.clone())) {
            refused(why);
        }
    }
    for key in &parts.board.observed {
        board.observe(board.intern(key));
    }
}

//! The active nodes, and the check that a walk could have reached their state.

use rustc_hash::{FxHashMap, FxHashSet};

use super::problems::Result;
use super::restoring::Restoring;
use crate::run::node_ref::At;
use crate::run::plain::{Entry, Wait};
use crate::snapshot::RestoreError;

/// The nodes that are active, of all trees that are there.
#[derive(Default)]
pub(super) struct Active {
    /// The number of children of each entered node that are active, or about to be entered.
    entered: FxHashMap<At, u32>,
    /// Nodes that are to be entered.
    due: FxHashSet<At>,
    /// Actions that are cancelling, and what is above them.
    cancelling: FxHashSet<At>,
    /// The way in which each waiting node waits.
    waits: FxHashMap<At, Wait>,
}

impl Active {
    pub(super) fn is_entered(&self, at: At) -> bool {
        self.entered.contains_key(&at)
    }

    /// The number of children of a node that are active, or about to be entered.
    pub(super) fn children(&self, at: At) -> u32 {
        self.entered.get(&at).copied().unwrap_or(0)
    }

    /// Returns true if something is cancelling there, or below.
    pub(super) fn is_cancelling(&self, at: At) -> bool {
        self.cancelling.contains(&at)
    }

    pub(super) fn wait(&self, at: At) -> Option<Wait> {
        self.waits.get(&at).copied()
    }

    /// Returns true if a node is entered, or is to be.
    pub(super) fn is_begun(&self, at: At) -> bool {
        self.is_entered(at) || self.due.contains(&at)
    }

    /// The nodes at which a walk is to continue.
    pub(super) fn parked(&self) -> impl Iterator<Item = At> + '_ {
        let waits = self.waits.iter();
        waits.filter_map(|(at, wait)| matches!(wait, Wait::Parked(_)).then_some(*at))
    }

    /// The nodes that were entered.
    pub(super) fn all(&self) -> impl Iterator<Item = At> + '_ {
        self.entered.keys().copied()
    }
}

impl Restoring<'_> {
    /// Finds what is active above the nodes that wait.
    pub(super) fn active(&self) -> Result<Active> {
        let mut active = Active::default();
        let suspended = self.core.suspended().iter();
        let suspended = suspended.flat_map(|level| &level.entries);
        for entry in suspended.chain(&self.core.entries) {
            self.add(&mut active, entry)?;
        }
        for (at, wait) in &active.waits {
            let below = active.entered.get(at).copied().unwrap_or(0);
            if *wait != Wait::Turn && below > 0 || !wait.is_entered() && active.is_entered(*at) {
                return Err(self.impossible(*at, "it waits, and so does something below it"));
            }
        }
        for (at, children) in &active.entered {
            let kind = self.plan.node(at.node).kind.behaviour();
            if *children > 1 && !kind.runs_many() {
                return Err(self.impossible(*at, "more than one child of it is active"));
            }
        }
        for (frame, run) in (0..).zip(&self.names.runs) {
            let node = self.plan.trees[run.tree as usize].root;
            let root = At { frame, node };
            if run.depth > 0 && !active.is_begun(root) {
                return Err(self.impossible(root, "it was called, and nothing of it is active"));
            }
            let is_scoped = self.plan.trees[run.tree as usize].scoped;
            let has_keys = self.parts.frames[frame as usize].board.is_some();
            if is_scoped && active.is_begun(root) && !has_keys {
                return Err(
                    self.impossible(root, "it is active, and its tree's own keys are not there")
                );
            }
        }
        Ok(active)
    }

    fn add(&self, active: &mut Active, entry: &Entry) -> Result<()> {
        let twice = active.waits.insert(entry.at, entry.wait).is_some();
        let fresh = match entry.wait.is_entered() {
            true => active.entered.insert(entry.at, 0).is_none(),
            false => active.due.insert(entry.at),
        };
        if twice || !fresh {
            return Err(self.impossible(entry.at, "it waits twice"));
        }
        let mut at = entry.at;
        while let Some(above) = self.core.above(self.plan, at) {
            let known = active.entered.contains_key(&above);
            *active.entered.entry(above).or_insert(0) += 1;
            if known {
                break;
            }
            at = above;
        }
        if entry.wait == Wait::Cancelling {
            let mut at = Some(entry.at);
            while let Some(place) = at
                && active.cancelling.insert(place)
            {
                at = self.core.above(self.plan, place);
            }
        }
        Ok(())
    }

    pub(super) fn impossible(&self, at: At, why: &str) -> RestoreError {
        let place = self.plan.place(at.node);
        RestoreError::malformed(format!("{place}: {why}"))
    }
}

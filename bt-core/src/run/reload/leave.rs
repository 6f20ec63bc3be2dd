//! The abort, in the old trees, of nodes that changed trees do not have any more.

use super::fate::Fates;
use crate::run::node_ref::{At, NOWHERE};
use crate::run::plain::{Leaving, Then, Wait, Watch};
use crate::run::walk::{Act, Step, Walker};
use crate::tree::plan::NONE;

impl Walker<'_> {
    /// Aborts what goes with all that is below it. Its place waits. Whether there was anything.
    pub(super) fn let_go(&mut self, fates: &Fates<'_>) -> bool {
        let mut aborts = false;
        for level in 0..fates.levels.len() {
            let tops = fates.tops(level);
            let cancels = self.core.suspended().get(level);
            let cancels = cancels.is_some_and(|level| !level.leaving.is_empty());
            if tops.is_empty() && !cancels {
                continue;
            }
            aborts = true;
            self.in_level(level, |walk| {
                walk.end_lost(fates);
                // What was still cancelling may have gone with its parents.
                let active = |at: &&At| walk.core.is_active(walk.plan, **at);
                let tops: Vec<At> = tops.iter().rev().filter(active).copied().collect();
                for at in tops {
                    walk.abort(NOWHERE, at, true, Then::Hold(at));
                }
            });
        }
        aborts
    }

    /// In a suspended tree: what is still cancelling counts as cancelled if it is gone, or if what was to follow is, and
    /// what follows waits for the changed trees.
    fn end_lost(&mut self, fates: &Fates<'_>) {
        loop {
            let cold = self.core.cold();
            let mut all = cold.leaving.clone().into_iter();
            let lost = all.find_map(|leaving| {
                let (from, to) = self.core.below(self.plan, leaving.top);
                let mut cancelling = (from..to).filter(|position| self.cancels(*position));
                let mut gone = cancelling.clone();
                let is_gone = |at: At| fates.place(at).is_none();
                let is_lost = fates.leaving(&leaving).is_none()
                    || gone.any(|position| is_gone(self.core.entries[position].at));
                is_lost.then(|| cancelling.next()).flatten()
            });
            let Some(position) = lost else { return };
            self.core.interrupted.react();
            let step = self.cancelled(position);
            self.park_all(step);
        }
    }

    /// Returns true if an entry is an action that is still cancelling.
    fn cancels(&self, position: usize) -> bool {
        self.core.entries[position].wait == Wait::Cancelling
    }

    /// Exits the nodes that go, and leave what runs below them.
    pub(super) fn pass(&mut self, fates: &Fates<'_>) {
        for level in 0..fates.levels.len() {
            let passed = fates.passed(level);
            if passed.is_empty() {
                continue;
            }
            self.in_level(level, |walk| {
                for at in passed.iter().rev() {
                    if let Some(position) = walk.core.find(*at) {
                        let entry = walk.take_waiting(position);
                        walk.discard(at.node, entry);
                    }
                    let below = walk.guards_below(*at);
                    walk.leave_aborted(NOWHERE, *at, NONE);
                    walk.observe_again(below);
                }
            });
        }
    }

    /// The guards of a node's children that run.
    fn guards_below(&self, at: At) -> Vec<Watch> {
        let core = &*self.core;
        let is_child = |watch: &&Watch| {
            watch.own && watch.at.frame == at.frame && self.plan.parent(watch.at.node) == at.node
        };
        let below = core.observed().iter().filter(is_child);
        let below = below.filter(|watch| core.is_active(self.plan, watch.at));
        below.cloned().collect()
    }

    /// Observes guards that a node took with it when it was exited.
    fn observe_again(&mut self, guards: Vec<Watch>) {
        for watch in guards {
            let core = &*self.core;
            let before = |other: &Watch| match other.at == watch.at {
                true => (other.own, other.guard) < (watch.own, watch.guard),
                false => core.is_before(other.at, watch.at),
            };
            let position = core.observed().partition_point(before);
            let observers = &mut self.core.cold().observers;
            let mut all = observers.suspend();
            if !all
                .iter()
                .any(|other| other.at == watch.at && other.own && other.guard == watch.guard)
            {
                all.insert(position, watch);
            }
            observers.restore(all);
        }
    }

    /// Counts all that is still cancelling as cancelled: the continuation waits for the changed trees.
    pub(super) fn end_cancelling(&mut self) {
        while let Some(position) = (0..self.core.entries.len()).find(|at| self.cancels(*at)) {
            let at = self.core.entries[position].at;
            let text = "it was being cancelled when the agent was saved, and its tree has changed: it counts as \
                        cancelled";
            self.report(Some(at.node), text.to_owned());
            self.core.interrupted.react();
            let step = self.cancelled(position);
            self.park_all(step);
        }
    }

    /// Carries out what the host requested: nothing is called between that and what it leads to, and nothing is
    /// entered in the old trees.
    pub(super) fn apply_first(&mut self) {
        let cold = self.core.cold.as_mut();
        if let Some((request, by)) = cold.and_then(|cold| cold.requests.take()) {
            self.core.interrupted.react();
            let step = self.apply(by, request);
            self.park_all(step);
        }
    }

    /// Holds the continuation until the trees have changed.
    fn park_all(&mut self, mut step: Step) {
        while let Step::Jump(at, act) = step {
            self.core.frame = at.frame;
            step = match act {
                Act::Done(success) => self.done(at.node, success).unwrap_or(Step::Blocked),
                act => self.park(at.node, act),
            };
        }
    }

    /// Does something in a tree that is suspended, or in the current one. What is cancelling in a suspended
    /// tree, and would not be heard of, counts as cancelled.
    pub(super) fn in_level(&mut self, level: usize, work: impl FnOnce(&mut Walker<'_>)) {
        if level == self.core.suspended().len() {
            return work(self);
        }
        self.swap_level(level);
        work(self);
        let slow = |walk: &Walker<'_>| {
            let leaving = walk.core.cold.as_ref().map(|cold| cold.leaving.clone());
            let held = |leaving: &Leaving| matches!(leaving.then, Then::Hold(_));
            leaving.unwrap_or_default().into_iter().find(held)
        };
        while let Some(leaving) = slow(self) {
            let (from, to) = self.core.below(self.plan, leaving.top);
            match (from..to).find(|position| self.cancels(*position)) {
                Some(found) => _ = self.cancelled(found),
                None => self.core.cold().leaving.clear(),
            }
        }
        self.swap_level(level);
    }

    /// Puts a suspended tree in the place of the current one, and the other way round.
    fn swap_level(&mut self, level: usize) {
        self.swap_in(level);
        let cold = self.core.cold();
        cold.is_swapped = !cold.is_swapped;
        let mut watches = cold.observers.suspend();
        let level = &mut cold.suspended.levels_mut()[level];
        std::mem::swap(&mut watches, &mut level.watches);
        std::mem::swap(&mut cold.leaving, &mut level.leaving);
        cold.observers.restore(watches);
    }
}

//! The waits of the current tree and of suspended ones.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use thin_vec::ThinVec;

use super::active::Active;
use super::problems::Result;
use super::restoring::Restoring;
use crate::decode::is_default;
use crate::run::node_ref::{At, Frame, NOWHERE};
use crate::run::plain::{
    By, Entry, Followed, KeySet, Leaving, Renumber, SavedEntry, SavedLeaving, SavedLevel,
    SavedWatch, Then, Wait, Watch,
};
use crate::run::walk::Act;
use crate::snapshot::RestoreError;
use crate::tree::plan::NONE;

impl Restoring<'_> {
    /// The runs of trees.
    pub(super) fn frames(&mut self) -> Result<()> {
        self.keys()?;
        let runs = &self.names.runs;
        if runs.len() == 1 && self.parts.frames[0].board.is_none() {
            return Ok(());
        }
        for (run, frame) in runs.iter().zip(&self.parts.frames) {
            let board = self.frame_keys(run.tree, frame)?;
            self.core.frames.push(Frame {
                tree: (),
                caller: run.caller,
                depth: run.depth,
                level: run.level,
                board,
            });
        }
        Ok(())
    }

    /// The entries of all trees that are there.
    pub(super) fn levels(&mut self) -> Result<()> {
        let last = self.parts.levels.len() - 1;
        for (number, saved) in self.parts.levels.iter().enumerate() {
            let entries = self.entries(number as u32, saved)?;
            let turns = entries.iter().filter(|entry| entry.has_turn()).count() as u32;
            let base = self.names.bases[number];
            if number == last {
                self.core.began = saved.began;
                self.core.entries = entries;
                self.core.turns = turns;
                self.core.frame = base;
                if base > 0 {
                    self.core.cold().suspended.restore_base(base);
                }
                continue;
            }
            let why = saved.why.map(|why| why.map(self)).transpose()?;
            let (watches, leaving, held) = (ThinVec::new(), ThinVec::new(), ThinVec::new());
            let mut level = saved.with(why, entries, watches, leaving, held);
            level.root = self.plan.trees[self.names.base_tree(number) as usize].root;
            (level.base, level.turns) = (base, turns);
            self.core.cold().suspended.push(level, 0);
        }
        Ok(())
    }

    fn entries(&mut self, level: u32, saved: &SavedLevel) -> Result<SmallVec<[Entry; 1]>> {
        let mut entries: SmallVec<[Entry; 1]> = SmallVec::new();
        for entry in &saved.entries {
            let at = self.names.at(entry.at)?;
            let wrong = |why: &str| {
                let place = self.plan.place(at.node);
                Err(RestoreError::malformed(format!("{place}: {why}")))
            };
            if self.names.runs[at.frame as usize].level != level {
                return wrong("it waits, but not in its tree's turn");
            }
            if !self.may_wait(at.node, entry.wait) {
                let wait = format!("it cannot wait as `{:?}`", entry.wait).to_lowercase();
                return wrong(&wait);
            }
            // Where a walk is parked, nothing ends it by its order.
            let is_parked = matches!(entry.wait, Wait::Parked(_));
            if !is_parked && self.waiting.insert(entry.order, at.node).is_some() {
                return wrong("another node that waits has the same order");
            }
            if entry.order > self.parts.settings.order {
                return wrong("its `order` is one that nodes still to be entered will have");
            }
            if let Some(last) = entries.last()
                && !self.core.is_before(last.at, at)
            {
                return wrong("it waits, and is not listed in the order in which nodes run");
            }
            entries.push(self.entry(at, entry)?);
        }
        Ok(entries)
    }

    /// Returns true if a node may wait like that, between polls.
    fn may_wait(&self, node: u32, wait: Wait) -> bool {
        match wait {
            Wait::Rerun | Wait::Parked(Act::TakeOver) => {
                let parent = self.plan.nodes.get(self.plan.parent(node) as usize);
                parent.is_some_and(|parent| parent.kind.behaviour().child_may_wait(wait))
            }
            Wait::Due
            | Wait::Parked(
                Act::Enter | Act::EnterChecked | Act::Begin(_) | Act::Done(_) | Act::Left(_),
            ) => true,
            Wait::Pending
            | Wait::Polled
            | Wait::Event
            | Wait::Timer
            | Wait::Turn
            | Wait::Again
            | Wait::Cancelling => self.plan.node(node).kind.behaviour().may_wait(wait),
        }
    }

    fn entry(&self, at: At, saved: &SavedEntry) -> Result<Entry> {
        let wrong = |why: &str| {
            let place = self.plan.place(at.node);
            Err(RestoreError::malformed(format!("{place}: {why}")))
        };
        let action = self.plan.node(at.node).kind.action();
        let count = action.map_or(0, |call| self.plan.calls[call as usize].args.len());
        let more = &saved.more;
        if !more.args.is_empty() && more.args.len() != count {
            return wrong("its call has another number of arguments");
        }
        let is_called = matches!(saved.wait, Wait::Pending | Wait::Polled | Wait::Cancelling);
        let asks = !is_default(more) || saved.until.is_some();
        if asks && !is_called {
            return wrong("only actions ask for more than their nodes do");
        }
        let mut entry = saved.restored(self, self.order(saved.order))?;
        // Not the number of any poll to come soon, and none of one that is left out.
        if entry.stamp == 0 {
            entry.stamp = u32::MAX;
        }
        Ok(entry)
    }

    /// Guards that are watched.
    pub(super) fn watched(&mut self, active: &Active) -> Result<()> {
        for (level, saved) in self.parts.levels.iter().enumerate() {
            let mut watches: ThinVec<Watch> = ThinVec::new();
            let mut seen = FxHashSet::default();
            for watch in &saved.watches {
                let found = self.watch(level as u32, watch, active)?;
                let sorted = watches
                    .last()
                    .is_none_or(|last| !self.core.is_before(found.at, last.at));
                let which = found.own.then_some(found.guard);
                if !sorted || !seen.insert((found.at, which)) {
                    let place = self.plan.place(found.at.node);
                    let why = format!("{place}: its guards are not watched in order, or twice");
                    return Err(RestoreError::malformed(why));
                }
                watches.push(found);
            }
            if !watches.is_empty() {
                let cold = self.core.cold();
                match cold.suspended.levels_mut().get_mut(level) {
                    Some(level) => level.watches = watches,
                    None => cold.observers.restore(watches),
                }
            }
        }
        Ok(())
    }

    fn watch(&self, level: u32, saved: &SavedWatch, active: &Active) -> Result<Watch> {
        let plan = self.plan;
        let at = self.place(saved.at)?;
        let guards = plan.guards(at.node);
        let parent = At {
            frame: at.frame,
            node: plan.parent(at.node),
        };
        let is_watched = guards
            .get(saved.guard as usize)
            .is_some_and(|guard| match saved.own {
                true => guard.own && active.is_entered(at),
                false => {
                    let observed = guards.iter().any(|guard| guard.lower);
                    observed && parent.node != NONE && active.is_entered(parent)
                }
            });
        if !is_watched || self.names.runs[at.frame as usize].level != level {
            let place = plan.place(at.node);
            let why = format!("{place}: it has no guard {} that is watched", saved.guard);
            return Err(RestoreError::malformed(why));
        }
        let follows = saved.guards(guards).iter().any(|guard| !guard.ask.every);
        let keys = match (follows, &saved.keys) {
            (true, Some(keys)) => self.followed(keys)?,
            (true, None) => KeySet::All,
            (false, _) => KeySet::default(),
        };
        saved.map(self, saved.due, keys)
    }

    /// The keys that guards follow.
    pub(super) fn followed(&self, keys: &[Followed]) -> Result<KeySet> {
        let board = self.core.session.board();
        let mut follows = KeySet::default();
        for key in keys {
            let id = match key {
                Followed::Agent(name) => Some(board.intern(name)),
                Followed::Tree(frame, at) => {
                    let run = self.names.runs.get(*frame as usize);
                    let tree = run.map(|run| self.plan.trees[run.tree as usize].scope);
                    let open = self.core.frame(*frame).board;
                    tree.zip(open)
                        .and_then(|(tree, open)| board.frame_key(tree, open, *at))
                }
            };
            match id {
                Some(id) => follows.add(id),
                None => {
                    return Err(RestoreError::malformed(
                        "guards follow a key that is not there",
                    ));
                }
            }
        }
        Ok(follows)
    }

    /// Restores the aborted parts that are still cancelling.
    pub(super) fn left(&mut self, active: &Active) -> Result<()> {
        for (level, saved) in self.parts.levels.iter().enumerate() {
            let mut leaving = ThinVec::new();
            for one in &saved.leaving {
                let one = self.one_leaving(level, one, active)?;
                if self.left.insert(one.top, one.inclusive).is_some() {
                    return Err(self.impossible(one.top, "it is being aborted twice"));
                }
                leaving.push(one);
            }
            if !leaving.is_empty() {
                let cold = self.core.cold();
                match cold.suspended.levels_mut().get_mut(level) {
                    Some(level) => level.leaving = leaving,
                    None => cold.leaving = leaving,
                }
            }
        }
        for top in self.left.keys() {
            if self
                .core
                .above(self.plan, *top)
                .is_some_and(|above| self.is_left(above, true))
            {
                return Err(self.impossible(*top, "it is being aborted, and so is a node above it"));
            }
        }
        let suspended = self.core.suspended().iter();
        let suspended = suspended.flat_map(|level| &level.entries);
        for entry in suspended.chain(&self.core.entries) {
            match (
                entry.wait == Wait::Cancelling,
                self.is_left(entry.at, false),
            ) {
                (true, false) => {
                    let why = "it is cancelling, and nothing comes after that";
                    return Err(self.impossible(entry.at, why));
                }
                (false, true) => {
                    let why = "it waits, and a node above it is being aborted";
                    return Err(self.impossible(entry.at, why));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns true if a node is being aborted: it, or one above it, was, and something there is still
    /// cancelling. With `tops` also a node whose children alone are.
    pub(super) fn is_left(&self, at: At, tops: bool) -> bool {
        if self.left.is_empty() {
            return false;
        }
        let mut above = std::iter::successors(Some(at), |at| self.core.above(self.plan, *at));
        above.any(|top| match self.left.get(&top) {
            Some(inclusive) => *inclusive || top != at || tops,
            None => false,
        })
    }

    fn one_leaving(&self, level: usize, saved: &SavedLeaving, active: &Active) -> Result<Leaving> {
        let plan = self.plan;
        let by = saved.by.as_ref();
        let by = by.map(|by| self.by(by, saved.top)).transpose()?;
        let mut leaving = saved.map(self, by.unwrap_or(NOWHERE))?;
        let (top, then) = (leaving.top, leaving.then);
        let is_below_reactive = || {
            let parent = plan.parent(top.node);
            parent != NONE && plan.node(parent).kind.behaviour().is_reactive()
        };
        // A sibling that takes its place.
        let is_chosen = |at: At| {
            let parent = plan.parent(top.node);
            let of_one = parent != NONE && plan.parent(at.node) == parent && at.frame == top.frame;
            of_one && plan.node(parent).kind.behaviour().chooses_anew()
        };
        let fits = match then {
            Then::Go(at, Act::Done(_)) => at == top && !saved.inclusive,
            Then::Go(at, Act::Left(_)) => at == top && saved.inclusive,
            // A sibling to the left takes over.
            Then::Go(at, Act::EnterChecked) => {
                let parent = plan.parent(top.node);
                let of_one = parent != NONE && plan.parent(at.node) == parent;
                saved.inclusive && of_one && at.frame == top.frame && at.node < top.node
            }
            Then::Go(_, Act::Enter | Act::TakeOver | Act::Begin(_)) => false,
            Then::Enter(at) => {
                let again = at == top && is_below_reactive();
                saved.inclusive && (again || is_chosen(at))
            }
            Then::Nothing => saved.inclusive && is_below_reactive(),
            Then::Start(_)
            | Then::Load(_)
            | Then::Afresh(_)
            | Then::Transfer(..)
            | Then::Restart(_)
            | Then::Hold(_)
            | Then::Stop => {
                let base = self.names.bases[level];
                saved.inclusive && top.frame == base && plan.parent(top.node) == NONE
            }
        };
        if let (Then::Transfer(_, node, _), None) = (then, by) {
            // The run of the node that switches trees is over.
            leaving.by = At { node, ..top };
        }
        let of_level = self.names.runs[top.frame as usize].level as usize == level;
        if !fits || !of_level || !active.is_cancelling(top) {
            let place = plan.place(top.node);
            let why = format!("{place}: no abort of it could be in this state");
            return Err(RestoreError::malformed(why));
        }
        Ok(leaving)
    }

    /// The node that aborted others: that it was not the host counts, wherever it is now.
    fn by(&self, saved: &By, top: At) -> Result<At> {
        match saved {
            By::Node(place) => self.place(*place),
            By::Over(tree, idx) => match self.node(tree, *idx) {
                Ok((_, node)) => Ok(At { frame: NONE, node }),
                Err(_) => self.place(top),
            },
        }
    }
}

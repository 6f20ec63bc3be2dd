//! A runner's state from what was saved, part by part: each is checked before anything runs.

use rustc_hash::{FxHashMap, FxHashSet};

use super::names::Names;
use super::problems::Result;
use crate::blackboard::Blackboard;
use crate::call::Session;
use crate::run::core::Core;
use crate::run::node_ref::At;
use crate::run::plain::{Entry, How, Order, Phase, Renumber, Restored, Todo, Wait, Watch};
use crate::run::save::settings::MOST_ENTRIES;
use crate::run::state::pace::Pace;
use crate::snapshot::{RestoreError, format};
use crate::tree::plan::Plan;

/// The name of the resume method of a call's action, if it has one.
type Resume<'a> = &'a dyn Fn(u32) -> Option<&'static str>;

/// Makes a runner's state of what was saved.
pub(super) struct Restoring<'a> {
    pub(super) plan: &'a Plan,
    pub(super) parts: &'a format::Parts,
    pub(super) names: &'a Names<'a>,
    pub(super) core: Core,
    /// The nodes that wait, by the numbers of their entries as they were saved.
    pub(super) waiting: FxHashMap<u64, u32>,
    /// Those numbers, sorted, if nobody ever counted that far: entries are counted anew.
    pub(super) anew: Option<Vec<u64>>,
    /// The tops of the parts that are being aborted; true if the top is exited, too.
    pub(super) left: FxHashMap<At, bool>,
    /// The nodes that wait for a time, each with its service if it is that.
    pub(super) due: FxHashSet<(At, Option<u32>)>,
}

impl<'a> Restoring<'a> {
    pub(super) fn new(names: &'a Names<'a>) -> Restoring<'a> {
        let plan = names.plan;
        let board = Blackboard::with_keys(plan.keys.clone());
        let root = plan.trees[names.current() as usize].root;
        Restoring {
            plan,
            parts: names.parts,
            names,
            core: Core::new(Session::with_board(0, board), root),
            waiting: FxHashMap::default(),
            anew: None,
            left: FxHashMap::default(),
            due: FxHashSet::default(),
        }
    }

    pub(super) fn core(mut self, resume: Resume<'_>) -> Result<Core> {
        self.parts.settings.apply(&mut self.core)?;
        self.core.phase = self.parts.settings.phase;
        self.frames()?;
        self.count_anew();
        self.levels()?;
        self.is_at_rest()?;
        let active = self.active()?;
        self.left(&active)?;
        self.states(&active)?;
        self.kept_numbers(&active)?;
        self.timers(&active)?;
        self.watched(&active)?;
        self.taken(&active)?;
        self.kept()?;
        self.queued(&active)?;
        self.work(&active)?;
        self.results();
        self.restored(resume);
        Ok(self.core)
    }

    /// Gives the entries new numbers, in their order, if they have such as nobody counts to.
    fn count_anew(&mut self) {
        if self.parts.settings.order > MOST_ENTRIES {
            let entries = self.parts.levels.iter().flat_map(|level| &level.entries);
            let mut all: Vec<_> = entries.map(|entry| entry.order).collect();
            all.sort_unstable();
            self.core.set_last_order(all.len() as u64);
            self.anew = Some(all);
        }
    }

    /// The number of an entry, by the one that was saved.
    pub(super) fn order(&self, saved: u64) -> Order {
        match &self.anew {
            None => Order::of(saved),
            // The first is 1; 0 is none of an entry that is there.
            Some(all) => Order::of(all.binary_search(&saved).map_or(0, |at| at as u64 + 1)),
        }
    }

    /// Nothing waits of a tree that does not run.
    fn is_at_rest(&self) -> Result<()> {
        let parts = self.parts;
        if matches!(self.core.phase, Phase::Active | Phase::Stopping) {
            return Ok(());
        }
        let waits = parts.levels.iter().any(|level| {
            !level.entries.is_empty() || !level.watches.is_empty() || !level.leaving.is_empty()
        });
        if parts.frames.len() > 1 || waits {
            return Err(RestoreError::malformed(
                "its tree does not run, and something of it waits",
            ));
        }
        Ok(())
    }

    /// The last results of nodes, and whose endless wait was reported: as far as those are there.
    fn results(&mut self) {
        let plan = self.plan;
        let node = |tree: &str, idx: u32| {
            let tree = plan.tree_named(tree)?;
            self.names.find(tree, idx)
        };
        let stuck = self
            .parts
            .stuck
            .iter()
            .flat_map(|(tree, all)| all.iter().map(move |idx| (tree, *idx)));
        let mut calls = Vec::new();
        for (tree, idx) in stuck {
            let node = node(tree, idx).map(|node| plan.node(node));
            calls.extend(node.and_then(|node| node.kind.action()));
        }
        let mut results = Vec::new();
        for (tree, all) in &self.parts.results {
            let found = all
                .iter()
                .filter_map(|(idx, success)| Some((node(tree, *idx)?, *success)));
            results.extend(found);
        }
        let mut unread = Vec::new();
        for (tree, all) in &self.parts.unread {
            unread.extend(all.iter().filter_map(|idx| node(tree, *idx)));
        }
        if !calls.is_empty() || !results.is_empty() || !unread.is_empty() {
            let cold = self.core.cold();
            for node in unread {
                cold.reports.is_newly_unread(node);
            }
            cold.reports.restore_stuck(calls);
            for (node, success) in results {
                cold.results.note(node, success);
            }
        }
    }

    /// Notes the work of the first poll.
    fn restored(&mut self, resume: Resume<'_>) {
        let (plan, parts) = (self.plan, self.parts);
        let pace = parts.settings.pace.as_deref();
        let on_wake = pace.is_some_and(Pace::guards_on_wake);
        let looks = |watch: &Watch| watch.looks(plan, on_wake);
        let is_due = |entry: &Entry| entry.wait == Wait::Due;
        let in_turn = self.core.turns > 0
            || self.core.observed().iter().any(looks)
            || pace.is_some_and(Pace::begins_later);
        let is_paced = pace.is_some_and(|pace| pace.next().is_some());
        let mut restored = Restored {
            quiet: !self.core.entries.iter().any(is_due) && (is_paced || !in_turn),
            in_turn,
            ..Restored::default()
        };
        for entry in parts.levels.iter().flat_map(|level| &level.entries) {
            let Ok(at) = self.names.at(entry.at) else {
                continue;
            };
            let Some(call) = plan.node(at.node).kind.action() else {
                continue;
            };
            let had = (entry.more.completion, entry.more.guards);
            let runs = matches!(entry.wait, Wait::Pending | Wait::Polled);
            let how = match resume(call) {
                _ if entry.wait == Wait::Cancelling && had.0 => How::End,
                Some(method) if runs => How::Resume(method),
                None if runs && (had.0 || had.1) => How::Anew,
                Some(_) | None => continue,
            };
            restored.todo.push(Todo {
                order: self.order(entry.order),
                had,
                how,
            });
        }
        let settings = &parts.settings;
        settings.wait_for_the_clock(&mut self.core, restored);
    }
}

/// From the numbers and names of a saved agent to the runner's.
impl Renumber for Restoring<'_> {
    type Error = RestoreError;
    type Tree = String;
    type Other = u32;

    fn place(&self, at: At) -> Result<At> {
        self.names.at(at)
    }

    fn tree(&self, tree: &String) -> Result<u32> {
        self.names.named(tree)
    }

    fn node(&self, tree: &String, idx: u32) -> Result<(u32, u32)> {
        let tree = self.names.named(tree)?;
        Ok((tree, self.names.node(tree, idx)?))
    }

    fn child(&self, at: At, idx: u32) -> Result<u32> {
        self.names.child(self.names.at(at)?.node, idx)
    }

    fn event(&self, by: At, which: u32) -> Result<u32> {
        let node = self.names.at(by)?.node;
        let events = self.plan.attached(node).map(|found| &found.events);
        let taken = events.and_then(|events| events.get(which as usize));
        let event = taken.map(|taken| taken.event);
        event.ok_or_else(|| {
            let place = self.plan.place(node);
            RestoreError::malformed(format!("{place} takes no event of the number {which}"))
        })
    }

    /// The clock of a restored agent without pauses begins at 0, so this is before its beginning.
    fn ran(&self, ago: u64) -> u64 {
        0_u64.wrapping_sub(ago)
    }

    /// The number of the poll before the first one, in which all was done that is done.
    fn poll(&self, _: u32) -> u32 {
        self.core.poll
    }
}

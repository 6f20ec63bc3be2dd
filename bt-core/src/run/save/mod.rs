//! A runner's state as data.

mod described;
mod frames;
mod nodes;
pub(super) mod settings;

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use crate::Agent;
use crate::run::core::{self, Core};
use crate::run::node_ref::{At, NOWHERE};
use crate::run::plain::{
    By, Delivery, Due, Entry, Followed, KeySet, Leaving, Level, Renumber, SavedDelivery,
    SavedEntry, SavedLeaving, SavedLevel, Stage, Then, Watch,
};
use crate::run::runner::Runner;
use crate::run::state::timers::Timer;
use crate::run::walk::Act;
use crate::snapshot::{Saved, format};
use crate::tree::plan::{NONE, Plan};
use settings::Settings;

impl<A: Agent> Runner<A> {
    /// Everything that it knows of its agent, as data: to be [restored](Runner::restore) in another
    /// process, on another clock. It continues as if nothing had happened.
    ///
    /// What a completion would finish cannot be saved: see [`restore`](Runner::restore) for what becomes
    /// of actions that wait. Times are saved as times left, and no time of this clock with them. The
    /// agent itself is the host's to save.
    pub fn save(&self) -> Saved {
        let set = &*self.trees.0;
        let exit = |call: u32| set.leaves[call as usize].action?.exit_method();
        self.save_parts(|saving, trees| saving.described(trees, &set.source, &exit))
    }

    /// Saves the agent [compact](Saved::compact), for less time than it takes to say more and forget it.
    pub fn save_compact(&self) -> Saved {
        self.save_parts(|_, _| Vec::new())
    }

    fn save_parts(
        &self,
        nodes: impl FnOnce(&Saving<'_>, &[u32]) -> Vec<Vec<format::Described>>,
    ) -> Saved {
        // Writes that waited for the end of a loan of the host's.
        self.core.session.blackboard();
        let set = &*self.trees.0;
        let saving = Saving::new(&set.plan, &self.core);
        let mut parts = saving.parts(set.agent);
        let trees = saving.number_trees(&mut parts);
        parts.nodes = nodes(&saving, &trees);
        Saved::new(parts)
    }
}

struct Saving<'a> {
    plan: &'a Plan,
    core: &'a Core,
    /// Trees that events suspended, and last the current one.
    stages: Vec<Stage<'a>>,
    /// The frames that are in use, as they are numbered in what is saved, with their trees.
    frames: Vec<(u32, u32)>,
    /// Their numbers in the saved agent.
    numbers: FxHashMap<u32, u32>,
    /// The time that others count from.
    now: u64,
    /// The nodes that what is saved names: they are described.
    described: RefCell<Vec<u32>>,
}

impl<'a> Saving<'a> {
    fn new(plan: &'a Plan, core: &'a Core) -> Saving<'a> {
        let cold = core.cold.as_deref();
        let mut stages: Vec<_> = core.suspended().iter().map(Level::stage).collect();
        stages.push(Stage {
            root: core.root,
            base: core.base(),
            began: core.began,
            turns: core.turns,
            entries: &core.entries,
            watches: core.observed(),
            leaving: cold.map_or(&[], |cold| &cold.leaving),
            held: cold.map_or(&[], |cold| cold.inbox.held()),
            why: None,
        });
        let mut saving = Saving {
            plan,
            core,
            stages,
            frames: Vec::new(),
            numbers: FxHashMap::default(),
            now: core.paused_since().unwrap_or_else(|| core.now()),
            described: RefCell::default(),
        };
        saving.number_frames();
        saving
    }

    fn tree_name(&self, tree: u32) -> String {
        self.plan.trees[tree as usize].name.to_string()
    }

    fn idx(&self, node: u32) -> u32 {
        self.plan.info(node).idx
    }

    /// A place, if its frame is in use, and by the tree that the place is in.
    fn known(&self, at: At) -> Option<At> {
        let frame = *self.numbers.get(&at.frame)?;
        let (_, tree) = self.frames[frame as usize];
        let info = self.plan.infos.get(at.node as usize)?;
        (info.tree == tree).then(|| self.place(at))
    }

    fn place(&self, at: At) -> At {
        self.described.borrow_mut().push(at.node);
        let frame = self.numbers.get(&at.frame);
        At {
            frame: frame.copied().unwrap_or(NONE),
            node: self.idx(at.node),
        }
    }

    /// A node of a tree that is to be the same when the agent is restored: its tree in the plan, until trees are
    /// [numbered](Saving::number_trees), and its `idx`.
    fn listed(&self, node: u32) -> (u32, u32) {
        self.described.borrow_mut().push(node);
        let info = self.plan.info(node);
        (info.tree, info.idx)
    }

    /// A node of a tree that need not be there: the name of the tree, and its `idx`.
    fn named(&self, node: u32) -> (String, u32) {
        let (tree, idx) = self.listed(node);
        (self.tree_name(tree), idx)
    }

    fn parts(&self, agent: &str) -> format::Parts {
        let core = self.core;
        let nothing = core::Cold::default();
        let cold = core.cold.as_deref().unwrap_or(&nothing);
        let request = core.asked().or(cold.requests.pending());
        let request = request.and_then(|request| request.map(|tree| self.tree(tree)).ok());
        let arrived = core.session.completions().into_iter();
        let arrived = arrived.map(|(ticket, answer)| Delivery::Completed(ticket, answer));
        let fired = core
            .session
            .fired()
            .iter()
            .map(|fired| Delivery::Event(fired.into()));
        let queue = cold
            .inbox
            .queue()
            .filter_map(|delivery| self.delivery(delivery));
        let arrived = arrived.filter_map(|delivery| self.delivery(&delivery));
        let work = cold.continuations.all().iter();
        let timers = core.timers.iter().map(|timer| {
            let left = timer.time().saturating_sub(self.now);
            Timer::new(left, self.place(timer.at()), timer.purpose())
        });
        format::Parts {
            format: format::FORMAT,
            settings: Settings::of(core, self.now),
            requests: cold.requests.with(self.transfers(), request),
            board: core.session.board().saved_keys(),
            agent: agent.to_owned(),
            trees: Vec::new(),
            nodes: Vec::new(),
            frames: self
                .frames
                .iter()
                .map(|(frame, tree)| self.frame(*frame, *tree))
                .collect(),
            levels: self.stages.iter().map(|stage| self.level(stage)).collect(),
            timers: timers.collect(),
            states: self.states(cold),
            numbers: self.kept_numbers(cold),
            kept: cold
                .counters
                .iter()
                .filter_map(|found| self.retained(found))
                .collect(),
            failed_guards: self.failed_guards(cold),
            followed: self.followed_later(cold),
            taken: self.taken(cold),
            latched: cold.inbox.latched().map(Into::into).collect(),
            queue: queue.chain(fired).chain(arrived).collect(),
            work: work.filter_map(|next| next.map(self).ok()).collect(),
            stuck: self.stuck(cold),
            unread: self.unread(cold),
            forced: core.saved_forced(),
            results: self.results(cold),
        }
    }

    fn level(&self, stage: &Stage<'_>) -> SavedLevel {
        // A key that changed since: guards that follow it are evaluated next time; those of a tree that
        // is suspended are when it continues.
        let is_current = stage.base == self.core.base();
        let mut stirred = Vec::new();
        let board = self.core.session.board();
        board.each_stirred(|key| stirred.push(key));
        let watch = |watch: &Watch| {
            let due = match watch.due {
                _ if !is_current => Due::No,
                _ if watch.keys.has_any(&stirred) => Due::Now,
                due => due,
            };
            let keys = watch.follows_keys(self.plan);
            watch.map(self, due, keys.then(|| self.followed(&watch.keys)))
        };
        // A node that takes over once another has been cancelled is evaluated again before it is entered.
        let is_active = |at: At| {
            let mut entries = stage.entries.iter();
            entries.any(|entry| match entry.at == at {
                true => entry.wait.is_entered(),
                false => self.core.is_within(self.plan, entry.at, at),
            })
        };
        let watches = stage.watches.iter();
        let watches = watches.filter(|watch| !watch.own || is_active(watch.at));
        let entries = stage.entries.iter();
        let leaving = stage.leaving.iter();
        let held = stage.held.iter();
        let unnumbered = Stage {
            root: 0,
            base: 0,
            turns: 0,
            ..*stage
        };
        unnumbered.with(
            stage.why.and_then(|why| why.map(self).ok()),
            entries.filter_map(|entry| self.entry(entry)).collect(),
            watches.filter_map(|found| watch(found).ok()).collect(),
            leaving.filter_map(|found| self.leaving(found)).collect(),
            held.filter_map(|found| self.delivery(found)).collect(),
        )
    }

    /// The keys that guards follow.
    fn followed(&self, follows: &KeySet) -> Vec<Followed> {
        let board = self.core.session.board();
        let mut keys = Vec::new();
        for (name, key) in board.observed_keys() {
            if follows.has(key) {
                keys.push(Followed::Agent(name));
            }
        }
        for ((frame, tree), number) in self.frames.iter().zip(0..) {
            let Some(open) = self.core.frame(*frame).board else {
                continue;
            };
            let scope = self.plan.trees[*tree as usize].scope;
            for (at, key) in board.observed_in(scope, open) {
                if follows.has(key) {
                    keys.push(Followed::Tree(number, at));
                }
            }
        }
        keys
    }

    fn entry(&self, entry: &Entry) -> Option<SavedEntry> {
        let restored = self.core.cold.as_ref();
        let restored = restored.and_then(|cold| cold.restored.as_ref());
        let had = restored.and_then(|restored| restored.had(entry.order));
        let has = || {
            let more = entry.more.as_deref()?;
            Some((more.completion.is_some(), !more.guards.is_empty()))
        };
        entry.saved(self, had.or_else(has).unwrap_or_default()).ok()
    }

    /// The saved form of a delivery; none for the answer to a call that has exited since.
    fn delivery(&self, delivery: &Delivery) -> Option<SavedDelivery> {
        let entries = || self.stages.iter().flat_map(|stage| stage.entries);
        Some(match delivery {
            Delivery::Event(fired) => Delivery::Event(fired.into()),
            Delivery::Finished(order, success) => {
                let mut leaves = entries().filter(|entry| entry.is_leaf());
                let entry = leaves.find(|entry| entry.order == *order)?;
                Delivery::Finished(entry.order.number(), Some(*success))
            }
            Delivery::Completed(_, answer) => {
                let entry = entries().find(|entry| delivery.is_for(entry))?;
                Delivery::Finished(entry.order.number(), *answer)
            }
            Delivery::Timer(at, purpose) => Delivery::Timer(self.known(*at)?, *purpose),
        })
    }

    fn leaving(&self, leaving: &Leaving) -> Option<SavedLeaving> {
        let over = |at: At| {
            let (tree, idx) = self.named(at.node);
            By::Over(tree, idx)
        };
        let by = leaving.by;
        let is_known = by != NOWHERE && leaving.then.transfers_from().is_none();
        let by = self.known(by).map(By::Node);
        let by = by.or_else(|| is_known.then(|| over(leaving.by)));
        let mut leaving = *leaving;
        if let Then::Hold(at) = leaving.then {
            // In the trees that are saved it has failed.
            leaving.then = Then::Go(at, Act::Left(false));
        }
        leaving.map(self, by).ok()
    }

    /// The nodes that transfer to another tree when what they aborted has ended. Their own runs are over.
    fn transferring(&self) -> impl Iterator<Item = u32> {
        let leaving = self.stages.iter().flat_map(|stage| stage.leaving);
        leaving.filter_map(|leaving| leaving.then.transfers_from())
    }

    /// Returns true if a tree is to start with arguments, or with an event's parameters.
    fn transfers(&self) -> bool {
        let mut leaving = self.stages.iter().flat_map(|stage| stage.leaving);
        leaving.any(|leaving| matches!(leaving.then, Then::Transfer(..) | Then::Start(_)))
    }
}

impl Renumber for Saving<'_> {
    type Error = ();
    type Tree = u32;
    type Other = String;

    fn place(&self, at: At) -> Result<At, ()> {
        Ok(self.place(at))
    }

    fn tree(&self, tree: &u32) -> Result<String, ()> {
        Ok(self.tree_name(*tree))
    }

    fn node(&self, _: &u32, node: u32) -> Result<(String, u32), ()> {
        Ok(self.named(node))
    }

    fn child(&self, _: At, child: u32) -> Result<u32, ()> {
        Ok(self.idx(child))
    }

    fn event(&self, by: At, event: u32) -> Result<u32, ()> {
        let mut taken = self.plan.attached(by.node).ok_or(())?.events.iter();
        let which = taken.position(|taken| taken.event == event).ok_or(())?;
        Ok(which as u32)
    }

    /// On the host's clock: a pause is no part of it.
    fn since(&self, time: u64) -> u64 {
        match self.core.knows_clock() {
            true => self.core.now().saturating_sub(time),
            false => time,
        }
    }

    /// The time since then, without pauses.
    fn ran(&self, time: u64) -> u64 {
        self.core.awake_at(self.now).wrapping_sub(time)
    }

    /// No poll's number: all is done again in the first one.
    fn poll(&self, _: u32) -> u32 {
        0
    }
}

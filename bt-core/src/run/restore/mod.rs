//! A runner from what was saved of one: everything is looked at before anything runs.

mod active;
mod board;
mod level;
mod names;
mod nodes;
#[cfg(feature = "reload")]
mod older;
mod queue;
mod restart;

use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};

use super::core::{Core, Phase};
use super::diagnostic::Diagnostic;
use super::node_ref::At;
use super::resumed::{How, Restored, Todo};
use super::runner::Runner;
use super::waits::{Entry, Order, Wait};
use crate::blackboard::Blackboard;
use crate::call::Session;
#[cfg(feature = "reload")]
use crate::reload::{Changes, Gone};
use crate::snapshot::{RestoreError, Saved, format};
use crate::tree::plan::{NONE, Plan};
use crate::tree::set::Trees;
use crate::{Agent, Random};
use names::Names;

/// More entries than an agent ever has, and half of what there are numbers for.
const MOST_ENTRIES: u64 = 1 << 39;

type Result<T> = std::result::Result<T, RestoreError>;

/// The name of the resume method of a call's action, if it has one.
type Resume<'a> = &'a dyn Fn(u32) -> Option<&'static str>;

impl<A: Agent> Runner<A> {
    /// A runner that continues where another one was [saved](Runner::save), as if nothing had happened.
    ///
    /// What waits for a time waits for what was left of it, counted from the first poll, or from the
    /// moment that [`at`](Runner::at) says.
    ///
    /// Actions that wait are waited for again in the first poll, before anything is delivered, in the
    /// order in which nodes run:
    /// - One with a resume method, `#[action(resume = "…")]`, is resumed: the method is called with what
    ///   the action [kept](crate::Context::keep), `null` if that is nothing, and answers as the action
    ///   would. A time, polls or events that it asks for take the place of those that were saved. If what
    ///   was kept is not what it takes, a diagnostic says so and the action is called anew.
    /// - One that had a [completion](crate::Context::completion) or a
    ///   [guard](crate::Context::on_exit), which cannot be saved, is called anew. It stays entered.
    /// - Any other, which waits for a time, polls or an event, or is called every poll, simply continues.
    /// - One that was still cancelling, and waited for a completion, counts as cancelled; a diagnostic
    ///   says so.
    ///
    /// Neither happens to one whose end had arrived already.
    ///
    /// # Errors
    /// [`RestoreError`] if the trees are for another agent, if a tree that the agent ran is not there or
    /// means something else than it did, or if what was saved was changed so that it makes no sense.
    pub fn restore(trees: &Trees<A>, saved: &Saved) -> Result<Runner<A>> {
        let set = &*trees.0;
        let resume = |call: u32| set.leaves[call as usize].action?.resume_method();
        let names = Names::new(&set.plan, set.agent, saved.parts())?;
        let mut core = Restoring::new(&names).core(&resume)?;
        core.restore_forced(&set.plan, &saved.parts().forced)?;
        let trees = trees.clone();
        Ok(Runner::of(trees, core))
    }

    /// Restores an agent as [`restore`](Runner::restore) does; but where a tree has changed, is not there any more, or
    /// declares a key otherwise, the agent moves to the trees in its first poll, by the rules of a
    /// [reload](Runner::reload): what is the same runs on, what is gone exits. The book's page “Reload” has
    /// them. [`last_reload`](Runner::last_reload) says afterwards what became of it.
    ///
    /// - A running tree that is gone is aborted, and the outermost starts anew. (If events suspended trees, that is
    ///   the current tree of the lowest.)
    /// - An action whose exit method is gone exits without, and one that is still cancelling counts as
    ///   cancelled; [diagnostics](Runner::diagnostics) say so.
    /// - An agent that was saved [compact](Saved::compact) starts its outermost tree anew. Kept are its blackboard, its
    ///   random stream, events, what outlives nodes of trees that are unchanged, and how it is run. Nothing is
    ///   called for what ran, and a diagnostic says why.
    ///
    /// # Errors
    /// [`RestoreError`] if the trees are for another agent, if the outermost tree is not there, or if what was
    /// saved makes no sense.
    pub fn restore_or_restart(trees: &Trees<A>, saved: &Saved) -> Result<Runner<A>> {
        match Runner::restore(trees, saved) {
            Err(why) if why.is_of_trees() => {
                #[cfg(feature = "reload")]
                if let Some(runner) = Runner::restore_older(trees, saved)? {
                    return Ok(runner);
                }
                let set = &*trees.0;
                let mut core = restart::restart(&set.plan, set.agent, saved.parts(), &why)?;
                core.restore_forced(&set.plan, &saved.parts().forced)?;
                let trees = trees.clone();
                Ok(Runner::of(trees, core))
            }
            restored => restored,
        }
    }

    /// The same of an agent of older trees, if it says what it ran of them.
    #[cfg(feature = "reload")]
    fn restore_older(trees: &Trees<A>, saved: &Saved) -> Result<Option<Runner<A>>> {
        let Some(older) = older::Older::of(trees, saved.parts())? else {
            return Ok(None);
        };
        let outermost = restart::outermost(saved.parts())?;
        let outermost = names::named(&trees.0.plan, outermost)?;
        let outermost = trees.0.plan.trees[outermost as usize].name.to_string();
        let mut runner = Runner::restore(&older.trees, saved)?;
        let changes = Changes::renamed(&older.trees, trees, older.renamed);
        runner.move_from_older(&changes.when_gone(Gone::Restart(outermost)), older.exits);
        Ok(Some(runner))
    }

    /// With the time on this host's clock that stands for the moment of saving; otherwise it is that of
    /// the first poll. On another clock than the agent was saved on, this is what this one says now, and
    /// not what that one said: polls at earlier times would find that time stands still.
    pub fn at(mut self, now: Duration) -> Runner<A> {
        self.core.session.set_now(now);
        self.core.land();
        // One that is to move has something to do.
        self.core.quiet &= !self.may_move();
        self
    }
}

/// Makes a runner's state of what was saved.
struct Restoring<'a> {
    plan: &'a Plan,
    parts: &'a format::Parts,
    names: &'a Names<'a>,
    core: Core,
    /// The nodes that wait, by the numbers of their entries as they were saved.
    waiting: FxHashMap<u64, u32>,
    /// Those numbers, sorted, if nobody ever counted that far: entries are counted anew.
    anew: Option<Vec<u64>>,
    /// What is being left: the tops, and whether those are left, too.
    left: FxHashMap<At, bool>,
    /// The nodes that wait for a time, each with its service if it is that.
    due: FxHashSet<(At, Option<u32>)>,
}

impl<'a> Restoring<'a> {
    fn new(names: &'a Names<'a>) -> Restoring<'a> {
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

    fn core(mut self, resume: Resume<'_>) -> Result<Core> {
        settings(&mut self.core, self.parts)?;
        self.core.phase = self.parts.phase;
        self.frames()?;
        self.count_anew();
        self.levels()?;
        self.is_at_rest()?;
        let active = self.active()?;
        self.left(&active)?;
        self.states(&active)?;
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
        if self.parts.order > MOST_ENTRIES {
            let entries = self.parts.levels.iter().flat_map(|level| &level.entries);
            let mut all: Vec<_> = entries.map(|entry| entry.order).collect();
            all.sort_unstable();
            self.core.set_last_order(all.len() as u64);
            self.anew = Some(all);
        }
    }

    /// The number of an entry, by the one that was saved.
    fn order(&self, saved: u64) -> Order {
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
            calls.extend(node.and_then(|node| node.kind.behaviour().action()));
        }
        let mut results = Vec::new();
        for (tree, all) in &self.parts.results {
            let found = all
                .iter()
                .filter_map(|(idx, success)| Some((node(tree, *idx)?, *success)));
            results.extend(found);
        }
        if !calls.is_empty() || !results.is_empty() {
            let cold = self.core.cold();
            cold.reports.restore_stuck(calls);
            for (node, success) in results {
                cold.results.note(node, success);
            }
        }
    }

    /// What the first poll has to see to.
    fn restored(&mut self, resume: Resume<'_>) {
        let (plan, parts) = (self.plan, self.parts);
        let is_polled = |watch: &super::observers::Watch| watch.is_polled(plan);
        let is_due = |entry: &Entry| entry.wait == Wait::Due;
        let quiet = !parts.awake
            && self.core.turns == 0
            && !self.core.entries.iter().any(is_due)
            && !self.core.observed().iter().any(is_polled);
        let mut restored = Restored {
            pauses: parts.paused || parts.resumed,
            paused_ago: parts.paused_ago,
            quiet,
            ..Restored::default()
        };
        for entry in parts.levels.iter().flat_map(|level| &level.entries) {
            if entry.ago > 0 {
                restored.ages.push((self.order(entry.order), entry.ago));
            }
            let Ok(at) = self.names.at(entry.at) else {
                continue;
            };
            let Some(call) = plan.node(at.node).kind.behaviour().action() else {
                continue;
            };
            let asks = entry.completion || entry.guards;
            let how = match (entry.wait, resume(call)) {
                (Wait::Cancelling, _) if entry.completion => How::End,
                (Wait::Pending | Wait::Polled, Some(method)) => How::Resume(method),
                (Wait::Pending | Wait::Polled, None) if asks => How::Anew,
                _ => continue,
            };
            restored.todo.push(Todo {
                order: self.order(entry.order),
                had: (entry.completion, entry.guards),
                how,
            });
        }
        restored.ages.sort_unstable();
        wait_for_the_clock(&mut self.core, restored);
    }
}

/// Times are times left, as in a pause that began at 0.
fn wait_for_the_clock(core: &mut Core, restored: Restored) {
    let cold = core.cold();
    cold.pauses.begin(0);
    cold.restored = Some(Box::new(restored));
    core.quiet = false;
}

/// How it is run, whatever of it runs.
fn settings(core: &mut Core, parts: &format::Parts) -> Result<()> {
    let digits = parts.random.len() == 16 && parts.random.bytes().all(|b| b.is_ascii_hexdigit());
    let state = u64::from_str_radix(&parts.random, 16)
        .ok()
        .filter(|_| digits);
    let Some(state) = state else {
        let found = crate::text::name(&parts.random);
        return Err(RestoreError::malformed(format!(
            "`random`: expected 16 hexadecimal digits, found `{found}`"
        )));
    };
    *core.session.random() = Random::new(state);
    core.poll = parts.poll;
    if parts.order <= MOST_ENTRIES {
        core.set_last_order(parts.order);
    }
    core.again = parts.again;
    if parts.started {
        core.set_started();
    }
    if parts.starts_again || parts.keeps_results {
        let cold = core.cold();
        cold.requests.set_starts_again(parts.starts_again);
        cold.results.keep(parts.keeps_results);
    }
    core.paused = parts.paused;
    core.interrupted.set_reacts(parts.interrupted);
    core.last = parts.last;
    core.looks_again();
    core.max_budget = parts.budget.unwrap_or(core.max_budget).max(1);
    if !parts.strange_events.is_empty() {
        let known = parts.strange_events.iter().map(String::as_str);
        core.cold().reports.restore_events(known);
    }
    Ok(())
}

/// Notes what went wrong, before there is a walk.
pub(super) fn tell(core: &mut Core, plan: &Plan, node: Option<u32>, message: String) {
    let tree = plan.tree_of(node.unwrap_or(core.root));
    let place = node.map_or_else(|| tree.name.to_string(), |node| plan.place(node));
    tracing::warn!(target: "bt", "{place}: {message}");
    let diagnostic = Diagnostic {
        tree: tree.name.clone(),
        node: node.map(|node| plan.info(node).idx),
        place,
        message,
        path: String::new(),
        time: core.now(),
        poll: core.poll,
        is_failure: false,
    };
    core.cold().reports.keep(diagnostic);
}

/// The number of a poll that may be none.
fn poll_or_none(poll: Option<u32>) -> u32 {
    poll.unwrap_or(NONE)
}

//! An agent moves to changed trees, at the start of a poll.
//!
//! 1. `fate` says what becomes of each node that is active: it stays, begins again, or is gone.
//! 2. What goes is aborted in the old trees (`leave`). What is still cancelling ends first: the old trees
//!    run meanwhile, and the places that were exited wait.
//! 3. `carry` gives the state the numbers of the changed trees.
//! 4. `join` puts new nodes around what runs, and says where the walk continues.

mod carry;
mod fate;
mod join;
mod leave;
mod pending;
mod same;

use std::sync::Arc;

use super::node_ref::NOWHERE;
use super::plain::{Phase, Quiet};
use super::runner::Runner;
use crate::Agent;
use crate::reload::{Changes, Gone, Moved, Node, Reload};
use crate::trace::What;
use crate::tree::plan::Plan;
use carry::Carry;
use fate::Fates;
pub(super) use pending::Pending;

impl<A: Agent> Runner<A> {
    /// Moves the agent to changed trees at the start of its next poll; a paused one when it is resumed. Of
    /// several calls before that the last counts. That poll is due at once if a node that is active changed;
    /// otherwise it is as late as it would have been.
    ///
    /// What is the same and unchanged stays as it is: waits, times, completions, guards, counters, orders and
    /// the random stream. What is gone is aborted, and the walk continues with what is in its place now. The book's
    /// page “Reload” has all rules.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_core::reload::Changes;
    /// use bt_core::tree::asset::spec::{action, sequence};
    /// use bt_core::{Runner, TreeAsset, TreeSet, Trees};
    /// use std::time::Duration;
    ///
    /// #[derive(Agent, Default)]
    /// struct Grocer { sold: Vec<String> }
    ///
    /// #[agent]
    /// impl Grocer {
    ///     #[action]
    ///     fn sell(&mut self, what: String) { self.sold.push(what); }
    /// }
    ///
    /// fn trees(what: &str) -> Trees<Grocer> {
    ///     let bake = sequence([action("wait_for_seconds").arg(60), action("sell").arg(what)]);
    ///     let mut trees = TreeSet::new();
    ///     trees.add(TreeAsset::build("bake.json", "grocer", bake));
    ///     trees.build().expect("they are right")
    /// }
    ///
    /// let (old, new) = (trees("bread"), trees("cake"));
    /// let mut runner = Runner::new(&old, "bake.json")?;
    /// let mut grocer = Grocer::default();
    /// runner.start();
    /// runner.poll(&mut grocer, Duration::ZERO);
    ///
    /// runner.reload(&Changes::between(&old, &new));
    /// runner.poll(&mut grocer, Duration::from_secs(30));
    /// assert!(runner.last_reload().is_some_and(|reload| reload.is_quiet()), "it bakes on");
    /// runner.poll(&mut grocer, Duration::from_secs(60));
    /// assert_eq!(grocer.sold, ["cake"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reload(&mut self, changes: &Changes<A>) {
        let changes = changes.from(&self.trees);
        let waits = self.core.quiet != Quiet::No && !self.is_touched_by(&changes);
        self.follow(changes);
        if waits {
            self.core.quiet = Quiet::Moves;
        }
    }

    /// Moves with those changes in the next poll, which is due at once.
    pub(crate) fn follow(&mut self, changes: Changes<A>) {
        self.pending.state().next = Some(changes);
        self.core.note_reload();
        self.core.quiet = Quiet::No;
    }

    /// Moves an agent that was restored from what is known of its older trees.
    pub(in crate::run) fn move_from_older(
        &mut self,
        changes: &Changes<A>,
        exits: Vec<(u32, String)>,
    ) {
        self.follow(changes.from(&self.trees));
        self.pending.state().older = Some(exits);
    }

    /// Shows the effects that a [reload](Runner::reload) would have on the agent now.
    pub fn preview_reload(&self, changes: &Changes<A>) -> Reload {
        let changes = changes.from(&self.trees);
        let (old, new) = (&self.trees.0.plan, &changes.new.0.plan);
        let fates = Fates::new(old, new, &changes.map, &self.core);
        let mut reload = match fates.gone {
            Some(tree) => return Reload::new(moved(&changes.gone, old, tree)),
            None => Reload::new(Moved::Moved),
        };
        fates.report(&mut reload, &[]);
        reload.aborted = fates.aborted();
        reload
    }

    /// Returns true if it is to move with those changes already.
    pub(crate) fn follows(&self, changes: &Changes<A>) -> bool {
        let is_it = |known: &Changes<A>| {
            Arc::ptr_eq(&known.new.0, &changes.new.0) && Arc::ptr_eq(&known.gone, &changes.gone)
        };
        let state = self.pending.0.as_ref();
        let known = state.map(|state| state.next.iter().chain(&state.refused));
        known.is_some_and(|mut known| known.any(is_it))
    }

    /// Returns true if it sees a change at once: a node that is active changed, or what belongs to it while it is, or a
    /// debugger has stopped it on the way to a node, and its stop says that a reload waits.
    pub(crate) fn is_touched_by(&self, changes: &Changes<A>) -> bool {
        if self.core.is_stopped() {
            return true;
        }
        let mut active = Vec::new();
        self.core.active(&self.trees.0.plan, &mut active);
        active.iter().any(|at| changes.map.is_touched(at.node))
    }

    /// The effects of the last completed [reload](Runner::reload) on the agent.
    pub fn last_reload(&self) -> Option<&Reload> {
        self.pending.0.as_ref()?.last.as_ref()
    }

    /// The number of [reloads](Runner::reload) that are over: [`last_reload`](Runner::last_reload) is of
    /// another one when it has changed.
    pub fn reloads(&self) -> u32 {
        self.pending.0.as_ref().map_or(0, |state| state.over)
    }

    /// Returns true if a reload was ever requested.
    #[inline]
    pub(super) fn may_move(&self) -> bool {
        self.pending.0.is_some()
    }

    /// Moves the agent, if it is to move and nothing is in the way; whether it did.
    pub(super) fn move_to_changed<'w, 's>(
        &mut self,
        agent: &mut A,
        world: &mut A::World<'w, 's>,
    ) -> bool {
        let next = self.pending.0.as_ref().and_then(|state| state.next.clone());
        next.is_some_and(|changes| {
            // No walk of it can be stopped.
            self.core.hold_stops(true);
            let moved = self.move_to(&changes, agent, world);
            self.core.hold_stops(false);
            moved
        })
    }

    #[cold]
    fn move_to<'w, 's>(
        &mut self,
        changes: &Changes<A>,
        agent: &mut A,
        world: &mut A::World<'w, 's>,
    ) -> bool {
        self.core.sync_clock();
        self.core.end_pause();
        if self.core.phase == Phase::Active && self.core.requested().is_some() {
            self.walking(agent, world, |walk| walk.apply_first());
        }
        if self.waits_for_cancelling(agent, world) {
            return false;
        }
        let (old, new) = (self.trees.0.plan.clone(), changes.new.0.plan.clone());
        let fates = Fates::new(&old, &new, &changes.map, &self.core);
        self.report_exits(&fates);
        if let Some(tree) = fates.gone {
            return self.has_lost(tree, changes, agent, world);
        }
        let state = self.pending.state();
        state.aborted.extend(fates.aborted());
        state.again.extend(fates.again());
        self.core.set_moves(true);
        let aborts = self.walking(agent, world, |walk| walk.let_go(&fates));
        if self.waits_for_cancelling(agent, world) {
            return false;
        }
        let fates = match aborts {
            true => Fates::new(&old, &new, &changes.map, &self.core),
            false => fates,
        };
        self.walking(agent, world, |walk| walk.pass(&fates));
        let mut reload = Reload::new(Moved::Moved);
        fates.report(&mut reload, &self.pending.state().again);
        self.take_over(changes, &fates, reload, agent, world);
        true
    }

    /// Reports the exit methods that are gone of what goes.
    fn report_exits(&mut self, fates: &Fates<'_>) {
        let older = self.pending.state().older.as_mut();
        let exits = older.map(std::mem::take).unwrap_or_default();
        let plan = self.trees.0.plan.clone();
        for (node, why) in exits {
            if let Some(at) = fates.goes(node) {
                self.core.report(&plan, at, why);
            }
        }
    }

    /// Returns whether something of the current tree is still cancelling, which ends first. Older trees
    /// cannot run meanwhile: there it counts as cancelled.
    fn waits_for_cancelling<'w, 's>(
        &mut self,
        agent: &mut A,
        world: &mut A::World<'w, 's>,
    ) -> bool {
        if self.pending.state().older.is_some() {
            self.walking(agent, world, |walk| walk.end_cancelling());
        }
        let cold = self.core.cold.as_ref();
        let is_cancelling = cold.is_some_and(|cold| !cold.leaving.is_empty());
        self.core.set_moves(is_cancelling);
        is_cancelling
    }

    /// The agent runs the changed trees from now on.
    fn take_over<'w, 's>(
        &mut self,
        changes: &Changes<A>,
        fates: &Fates<'_>,
        mut reload: Reload,
        agent: &mut A,
        world: &mut A::World<'w, 's>,
    ) {
        let (old, new, map) = (self.trees.0.plan.clone(), &changes.new.0.plan, &changes.map);
        let carry = Carry {
            old: &old,
            new,
            map,
            fates,
        };
        let tree = old.info(self.core.root).tree;
        if self.core.is_traced {
            self.core.trace_writes(&old);
        }
        let (problems, due) = carry.carry(&mut self.core);
        reload.problems = problems;
        if self.core.waiting().next().is_none() {
            self.find_root(changes, tree);
        }
        self.trees = changes.new.clone();
        self.core.set_moves(false);
        self.core.set_spent(false);
        self.core.quiet = Quiet::No;
        let tree = |tree| map.tree_now(tree);
        let node = |node| map.node(node);
        let lost = self.core.trace_reloaded(new, node, tree);
        reload.problems.extend(lost);
        self.walking(agent, world, |walk| walk.join(&carry));
        // Times that are read from expressions are known now.
        self.core.timers.order(&due);
        for problem in &reload.problems {
            self.core.report(new, NOWHERE, problem.clone());
        }
        self.pending.done(reload);
        self.trace_reload(!map.is_same);
    }

    /// A trace has what a reload did, and all that there is afterwards.
    fn trace_reload(&mut self, is_other: bool) {
        let Some(reload) = self.pending.0.as_ref().and_then(|state| state.last.clone()) else {
            return;
        };
        if !self.core.is_traced || !is_other && reload.is_quiet() {
            return;
        }
        let plan = self.trees.0.plan.clone();
        let names = |nodes: &[Node]| nodes.iter().map(ToString::to_string).collect();
        let what = What::Reload {
            kept: names(&reload.kept),
            adopted: names(&reload.adopted),
            aborted: names(&reload.aborted),
            entered: names(&reload.entered),
            problems: reload.problems,
        };
        self.core.trace(&plan, NOWHERE, what);
        self.core.trace_moved(&plan);
    }

    /// The tree that the agent is to run when nothing runs: the same, else the one that the policy names, else
    /// none.
    fn find_root(&mut self, changes: &Changes<A>, before: u32) {
        let new = &changes.new.0.plan;
        let same = changes.map.tree_now(before);
        let other = match &*changes.gone {
            Gone::Restart(name) => new.tree_named(name),
            Gone::Keep | Gone::Refuse => None,
        };
        let tree = same.or(other).unwrap_or_default();
        self.core.root = new.trees[tree as usize].root;
        if same.is_none() && other.is_none() && self.core.phase == Phase::Due {
            self.core.phase = self.core.last.map_or(Phase::Idle, Phase::ended);
        }
    }

    /// A tree that runs is gone; whether the agent moved all the same.
    fn has_lost<'w, 's>(
        &mut self,
        tree: u32,
        changes: &Changes<A>,
        agent: &mut A,
        world: &mut A::World<'w, 's>,
    ) -> bool {
        let (old, new) = (self.trees.0.plan.clone(), changes.new.0.plan.clone());
        let mut moved = moved(&changes.gone, &old, tree);
        let restarts = match &*changes.gone {
            Gone::Restart(name) => new.tree_named(name),
            Gone::Keep | Gone::Refuse => None,
        };
        let Some(restarts) = restarts else {
            if matches!(moved, Moved::Restarted(_)) {
                moved = Moved::Kept((&*old.trees[tree as usize].name).into());
            }
            let reload = Reload::new(moved);
            let is_known = self.last_reload() == Some(&reload);
            if !is_known {
                self.core.report(&old, NOWHERE, format!("reload: {reload}"));
            }
            let is_over = matches!(reload.moved, Moved::Refused(_));
            let state = self.pending.state();
            state.last = Some(reload);
            if is_over {
                state.refused = Some(changes.clone());
                state.next = None;
                state.over = state.over.wrapping_add(1);
            }
            return false;
        };
        let fates = Fates::new(&old, &new, &changes.map, &self.core);
        let aborted = fates.everything();
        self.pending.state().aborted.extend(aborted);
        self.walking(agent, world, |walk| walk.stop());
        // Slow aborts end first: then nothing runs.
        self.core.cold().requests.set_starts_again(true);
        if self.waits_for_cancelling(agent, world) {
            return false;
        }
        let fates = Fates::new(&old, &new, &changes.map, &self.core);
        self.take_over(changes, &fates, Reload::new(moved), agent, world);
        self.core.cold().requests.set_starts_again(false);
        self.core.root = new.trees[restarts as usize].root;
        self.core.phase = Phase::Due;
        true
    }
}

/// The effect on an agent whose running tree is gone.
fn moved(gone: &Gone, old: &Plan, tree: u32) -> Moved {
    let name = (&*old.trees[tree as usize].name).into();
    match gone {
        Gone::Keep => Moved::Kept(name),
        Gone::Restart(_) => Moved::Restarted(name),
        Gone::Refuse => Moved::Refused(name),
    }
}

//! A runner from what was saved of one: everything is looked at before anything runs.

mod active;
mod board;
mod level;
mod names;
mod nodes;
mod older;
mod problems;
mod queue;
mod restart;
mod restoring;

use std::time::Duration;

use super::plain::Quiet;
use super::runner::Runner;
use crate::Agent;
use crate::reload::{Changes, Gone, Renamed};
use crate::snapshot::format::Parts;
use crate::snapshot::{RestoreError, Saved};
use crate::tree::set::Trees;
use names::Names;
use problems::Result;
use restoring::Restoring;

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
    /// [`RestoreError`](crate::RestoreError) if the trees are for another agent, if a tree that the agent ran is not there or
    /// means something else than it did, or if what was saved was changed so that it makes no sense.
    pub fn restore(trees: &Trees<A>, saved: &Saved) -> Result<Runner<A>> {
        let set = &*trees.0;
        let resume = |call: u32| set.leaves[call as usize].action?.resume_method();
        let names = Names::new(&set.plan, &set.source, set.agent, saved.parts())?;
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
    /// [`RestoreError`](crate::RestoreError) if the trees are for another agent, if the outermost tree is not there, or if what was
    /// saved makes no sense.
    pub fn restore_or_restart(trees: &Trees<A>, saved: &Saved) -> Result<Runner<A>> {
        match Runner::restore(trees, saved) {
            Err(why) if why.is_of_trees() => {
                if let Some(runner) = Runner::restore_older(trees, saved, &Renamed::new())? {
                    return Ok(runner);
                }
                Runner::restart(trees, saved.parts(), &why)
            }
            restored => restored,
        }
    }

    /// Restores an agent as [`restore_or_restart`](Runner::restore_or_restart) does, where trees or nodes have other
    /// names and numbers than when it was saved.
    ///
    /// ```
    /// use bt_core::builtin::ActionAgent;
    /// use bt_core::reload::Renamed;
    /// use bt_core::tree::asset::spec::action;
    /// use bt_core::{Runner, TreeAsset, TreeSet};
    /// use std::time::Duration;
    ///
    /// let trees = |name| {
    ///     let mut trees = TreeSet::<ActionAgent>::new();
    ///     trees.add(TreeAsset::build(name, "action_agent", action("wait_for_seconds").arg(5)));
    ///     trees.build()
    /// };
    /// let mut runner = Runner::new(&trees("doze.json")?, "doze.json")?;
    /// runner.start();
    /// runner.poll(&mut ActionAgent, Duration::ZERO);
    ///
    /// let mut renamed = Renamed::new();
    /// renamed.tree("doze.json", "nap.json");
    /// let saved = runner.save();
    /// let mut runner = Runner::restore_renamed(&trees("nap.json")?, &saved, &renamed)?;
    /// let poll = runner.poll(&mut ActionAgent, Duration::from_secs(1));
    /// assert_eq!(runner.tree(), "nap.json");
    /// assert_eq!(poll.next_wake, Some(Duration::from_secs(6)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`restore_or_restart`](Runner::restore_or_restart).
    pub fn restore_renamed(
        trees: &Trees<A>,
        saved: &Saved,
        renamed: &Renamed,
    ) -> Result<Runner<A>> {
        let parts = saved.parts();
        let is_other = |(name, _): &(String, String)| {
            renamed.tree_now(name).is_some() || renamed.numbers(name).is_some()
        };
        if !parts.trees.iter().any(is_other) {
            return Runner::restore_or_restart(trees, saved);
        }
        if let Some(runner) = Runner::restore_older(trees, saved, renamed)? {
            return Ok(runner);
        }
        match Runner::restore(trees, saved) {
            Err(why) if why.is_of_trees() => {
                let mut parts = parts.clone();
                for (name, _) in &mut parts.trees {
                    if let Some(now) = renamed.tree_now(name) {
                        *name = now.to_owned();
                    }
                }
                Runner::restart(trees, &parts, &why)
            }
            restored => restored,
        }
    }

    /// Starts the outermost tree of a saved agent anew.
    fn restart(trees: &Trees<A>, parts: &Parts, why: &RestoreError) -> Result<Runner<A>> {
        let set = &*trees.0;
        let mut core = restart::restart(&set.plan, set.agent, parts, why)?;
        core.restore_forced(&set.plan, &parts.forced)?;
        Ok(Runner::of(trees.clone(), core))
    }

    /// The same of an agent of older trees, if it says what it ran of them.
    fn restore_older(
        trees: &Trees<A>,
        saved: &Saved,
        renamed: &Renamed,
    ) -> Result<Option<Runner<A>>> {
        let Some(older) = older::Older::of(trees, saved.parts(), renamed)? else {
            return Ok(None);
        };
        let outermost = restart::outermost(saved.parts())?;
        let outermost = renamed.tree_now(outermost).unwrap_or(outermost);
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
        self.core.sync_clock();
        // One that is to move has something to do.
        if self.may_move() {
            self.core.quiet = Quiet::No;
        }
        self
    }
}

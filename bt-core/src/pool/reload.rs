//! Changed trees for all agents of a pool: each moves when it is polled next.

use std::sync::Arc;

use super::{AgentId, Pool};
use crate::reload::Changes;
use crate::{Agent, Runner};

/// The changes that agents may still have to follow, and how far the pool has looked for agents that cannot
/// wait until they are due.
pub(super) struct Reloads<A: Agent> {
    /// One for each set of trees that an agent may still run, all of them to the same new one.
    all: Vec<Changes<A>>,
    /// The place of the next agent that is to be looked at; none if all of them were.
    next: Option<usize>,
    /// The number of agents that move in a round.
    budget: usize,
}

impl<A: Agent> Default for Reloads<A> {
    fn default() -> Reloads<A> {
        Reloads {
            all: Vec::new(),
            next: None,
            budget: 0,
        }
    }
}

impl<A: Agent> Reloads<A> {
    /// The changes that an agent is to follow.
    fn of(&self, runner: &Runner<A>) -> Option<&Changes<A>> {
        let runs = |changes: &&Changes<A>| Arc::ptr_eq(&changes.old.0, &runner.trees().0);
        self.all.iter().find(runs)
    }

    /// Tells a runner that is about to be polled of the changes that it is to follow.
    #[inline]
    pub(super) fn tell(&self, runner: &mut Runner<A>) {
        if !self.all.is_empty()
            && let Some(changes) = self.of(runner)
            && !runner.follows(changes)
        {
            runner.follow(changes.clone());
        }
    }

    /// Forgets the trees that nobody runs any more, nor keeps to run them.
    fn forget_unused(&mut self) {
        // One of them is here.
        self.all
            .retain(|changes| Arc::strong_count(&changes.old.0) > 1);
    }
}

impl<A: Agent> Pool<A> {
    /// Moves all agents to changed trees, each when it is polled next; paused ones when they are resumed. Those
    /// of which an active node changed do not wait until they are due: `budget` agents are looked at in each
    /// round, and polled in it if they are such. Nobody is polled for what only a later walk reaches, nor for
    /// changes that are [empty](Changes::is_empty). See [`Runner::reload`].
    ///
    /// ```
    /// use bt_core::pool::Pool;
    /// use bt_core::prelude::*;
    /// use bt_core::reload::Changes;
    /// use bt_core::tree::asset::spec::{action, sequence};
    /// use bt_core::{Runner, TreeAsset, TreeSet, Trees};
    /// use std::time::Duration;
    ///
    /// #[derive(Agent)]
    /// struct Slug;
    ///
    /// #[agent]
    /// impl Slug {}
    ///
    /// fn trees(seconds: u32) -> Trees<Slug> {
    ///     let rest = sequence([action("wait_for_seconds").arg(seconds)]);
    ///     let mut trees = TreeSet::new();
    ///     trees.add(TreeAsset::build("rest.json", "slug", rest));
    ///     trees.build().expect("they are right")
    /// }
    ///
    /// let (old, new) = (trees(60), trees(10));
    /// let mut garden = Pool::new();
    /// for _ in 0..100 {
    ///     let mut runner = Runner::new(&old, "rest.json")?;
    ///     runner.start();
    ///     garden.spawn(Slug, runner);
    /// }
    /// garden.poll(Duration::ZERO);
    /// garden.reload(&Changes::between(&old, &new), 50);
    /// assert_eq!(garden.poll(Duration::from_secs(1)), 50);
    /// assert_eq!(garden.poll(Duration::from_secs(2)), 50);
    /// assert_eq!(garden.next_wake(), Some(Duration::from_secs(10)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reload(&mut self, changes: &Changes<A>, budget: usize) {
        self.reloads.forget_unused();
        let is_other = |old: &&Changes<A>| !Arc::ptr_eq(&old.old.0, &changes.new.0);
        let before = self.reloads.all.iter().filter(is_other);
        let mut all: Vec<_> = before.map(|old| changes.from(&old.old)).collect();
        all.retain(|old| !Arc::ptr_eq(&old.old.0, &changes.old.0));
        all.push(changes.clone());
        // Where nothing changed, nobody is to be woken.
        let next = all.iter().any(|changes| !changes.is_empty()).then_some(0);
        self.reloads = Reloads {
            all,
            next,
            budget: budget.max(1),
        };
    }

    /// Wakes the agents whose active nodes changed, as many as one round looks at.
    pub(super) fn wake_for_reload(&mut self) {
        let Some(from) = self.reloads.next else {
            return;
        };
        let to = from
            .saturating_add(self.reloads.budget)
            .min(self.members.len());
        let mut found: Vec<AgentId> = Vec::new();
        for place in from..to {
            let Some(member) = &self.members[place] else {
                continue;
            };
            let changes = self.reloads.of(&member.runner);
            if changes.is_some_and(|changes| member.runner.is_touched_by(changes)) {
                found.extend(self.queue.id_at(place as u32));
            }
        }
        for id in found {
            self.queue.wake(id);
            if let Some(member) = &mut self.members[id.index() as usize] {
                self.reloads.tell(&mut member.runner);
            }
        }
        self.reloads.next = (to < self.members.len()).then_some(to);
    }

    /// Returns true if the next round has agents to look at.
    pub(super) fn has_reload(&self) -> bool {
        self.reloads.next.is_some()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::builtin::ActionAgent;
    use crate::tree::asset::spec::{action, sequence};
    use crate::{TreeAsset, TreeSet, Trees};

    fn trees(waits: usize) -> Trees<ActionAgent> {
        let rest = vec![action("wait_for_seconds").arg(60); waits + 1];
        let mut trees = TreeSet::new();
        trees.add(TreeAsset::build("rest", "action_agent", sequence(rest)));
        trees.build().unwrap()
    }

    #[test]
    fn trees_that_nobody_runs_any_more_are_forgotten() {
        let mut pool = Pool::new();
        let spawn = |pool: &mut Pool<_>, trees: &Trees<_>| {
            let mut runner = Runner::new(trees, "rest").unwrap();
            runner.start();
            pool.spawn(ActionAgent, runner)
        };
        let mut last = trees(0);
        spawn(&mut pool, &last);
        pool.poll(Duration::ZERO);
        for number in 1..100 {
            let next = trees(number);
            pool.reload(&Changes::between(&last, &next), 10);
            last = next;
            pool.poll(Duration::ZERO);
        }
        // It sleeps on, on the first of all, and follows the last.
        assert_eq!(pool.reloads.all.len(), 2);
        let second = spawn(&mut pool, &last);
        pool.poll(Duration::from_secs(60));
        assert!(
            pool.iter()
                .all(|(_, _, runner)| Arc::ptr_eq(&runner.trees().0, &last.0))
        );
        assert!(pool.contains(second));
    }
}

//! Changed trees for many agents: each moves when it is polled next.

use std::fmt;
use std::sync::Arc;

use super::{AgentId, Pool, WakeQueue};
use crate::reload::Changes;
use crate::{Agent, Runner};

/// The changes that many agents may still have to follow, and how far the host has looked for agents that cannot
/// wait until they are due.
///
/// A [`Pool`] has one of its own. A host that keeps agents and a [`WakeQueue`] itself [adds](Reloads::add) changes,
/// [looks](WakeQueue::reload) in each round for those who cannot wait, and [tells](Reloads::tell) each runner before
/// it polls it.
///
/// ```
/// use bt_core::pool::{Reloads, WakeQueue};
/// use bt_core::prelude::*;
/// use bt_core::reload::Changes;
/// use bt_core::tree::asset::spec::{action, sequence};
/// use bt_core::{Runner, TreeAsset, TreeSet, Trees};
/// use std::time::Duration;
///
/// #[derive(Agent)]
/// struct Newt;
///
/// fn trees(seconds: u32) -> Trees<Newt> {
///     let rest = sequence([action("wait_for_seconds").arg(seconds)]);
///     let mut trees = TreeSet::new();
///     trees.add(TreeAsset::build("rest.json", "newt", rest));
///     trees.build().expect("they are right")
/// }
///
/// let (old, new) = (trees(60), trees(10));
/// let mut runner = Runner::new(&old, "rest.json")?;
/// runner.start();
/// let (mut queue, mut due) = (WakeQueue::new(), Vec::new());
/// let newt = queue.join(&mut runner);
/// runner.poll(&mut Newt, Duration::ZERO);
/// queue.take_due(Duration::ZERO, &mut due);
/// queue.schedule(newt, &mut runner);
///
/// let mut reloads = Reloads::default();
/// reloads.add(&Changes::between(&old, &new), 1_000);
/// queue.reload(&mut reloads, |id, look| if id == newt { look(&mut runner) });
/// queue.take_due(Duration::from_secs(1), &mut due);
/// assert_eq!(due, [newt]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reloads<A: Agent> {
    /// One for each set of trees that an agent may still run, all of them to the same new one.
    all: Vec<Changes<A>>,
    /// The place of the next agent that is to be looked at; none if all of them were.
    next: Option<u32>,
    /// The number of agents that are looked at in a round.
    budget: u32,
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
    /// Adds changes, which all agents are to follow; `budget` agents are looked at in each round. Agents that still
    /// run older trees move from those to the new ones.
    pub fn add(&mut self, changes: &Changes<A>, budget: usize) {
        self.forget_unused();
        let is_other = |old: &&Changes<A>| !Arc::ptr_eq(&old.old.0, &changes.new.0);
        let before = self.all.iter().filter(is_other);
        let mut all: Vec<_> = before.map(|old| changes.from(&old.old)).collect();
        all.retain(|old| !Arc::ptr_eq(&old.old.0, &changes.old.0));
        all.push(changes.clone());
        // Where nothing changed, nobody is to be woken.
        let next = all.iter().any(|changes| !changes.is_empty()).then_some(0);
        *self = Reloads {
            all,
            next,
            budget: u32::try_from(budget.max(1)).unwrap_or(u32::MAX),
        };
    }

    /// Tells a runner that is about to be polled of the changes that it is to follow; whether there are any.
    #[inline]
    pub fn tell(&self, runner: &mut Runner<A>) -> bool {
        if self.all.is_empty() {
            return false;
        }
        let changes = self.of(runner);
        if let Some(changes) = changes
            && !runner.follows(changes)
        {
            runner.follow(changes.clone());
        }
        changes.is_some()
    }

    /// Returns true if agents are still to be looked at.
    pub fn is_looking(&self) -> bool {
        self.next.is_some()
    }

    /// The changes that an agent is to follow.
    fn of(&self, runner: &Runner<A>) -> Option<&Changes<A>> {
        let runs = |changes: &&Changes<A>| Arc::ptr_eq(&changes.old.0, &runner.trees().0);
        self.all.iter().find(runs)
    }

    /// Tells a runner of the changes if a node that is active changed; whether one did.
    fn tell_if_touched(&self, runner: &mut Runner<A>) -> bool {
        let changes = self.of(runner);
        let touched = changes.is_some_and(|changes| runner.is_touched_by(changes));
        if touched {
            self.tell(runner);
        }
        touched
    }

    /// Forgets the trees that nobody runs any more, nor keeps to run them.
    fn forget_unused(&mut self) {
        // One of them is here.
        self.all
            .retain(|changes| Arc::strong_count(&changes.old.0) > 1);
    }
}

impl<A: Agent> fmt::Debug for Reloads<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reloads")
            .field("all", &self.all)
            .field("is_looking", &self.is_looking())
            .finish_non_exhaustive()
    }
}

impl WakeQueue {
    /// Wakes the agents whose active nodes [changed](Reloads), as many as one round looks at. `lend` is called with
    /// the id of each and lends its runner, if it is of this type.
    pub fn reload<A: Agent>(
        &mut self,
        reloads: &mut Reloads<A>,
        mut lend: impl FnMut(AgentId, &mut dyn FnMut(&mut Runner<A>)),
    ) {
        let Some(from) = reloads.next else {
            return;
        };
        let to = from.saturating_add(reloads.budget).min(self.place_count());
        for place in from..to {
            let Some(id) = self.id_at(place) else {
                continue;
            };
            let mut touched = false;
            lend(id, &mut |runner| touched = reloads.tell_if_touched(runner));
            if touched {
                self.wake(id);
            }
        }
        reloads.next = (to < self.place_count()).then_some(to);
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
        self.reloads.add(changes, budget);
    }

    /// Wakes the agents whose active nodes changed, as many as one round looks at.
    pub(super) fn wake_for_reload(&mut self) {
        let members = &mut self.members;
        self.queue.reload(&mut self.reloads, |id, look| {
            if let Some(Some(member)) = members.get_mut(id.index() as usize) {
                look(&mut member.runner);
            }
        });
    }

    /// Returns true if the next round has agents to look at.
    pub(super) fn has_reload(&self) -> bool {
        self.reloads.is_looking()
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

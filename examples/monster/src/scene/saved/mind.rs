//! An agent and its runner, saved and restored.

use std::time::Duration;

use bt_core::{Agent, RestoreError, Runner, Saved, Trees};
use serde::{Deserialize, Serialize};

use crate::scene::actor::{Actor, Mind};
use crate::scene::trees::Forest;
use crate::{AccountAgent, MonsterAgent, PlayerAgent, World};

/// An agent and its runner as data, whatever type of agent it is.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::scene) enum SavedMind {
    Monster(Part<MonsterAgent>),
    Player(Part<PlayerAgent>),
    Account(Part<AccountAgent>),
}

/// An agent, which is the host's to save, and what its runner knows.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::scene) struct Part<A> {
    agent: A,
    /// The time of its last poll: its runner knows no later one.
    clock: Duration,
    /// The time of its next poll.
    wake: Option<Duration>,
    runner: Saved,
}

impl<A> Part<A>
where
    A: for<'w, 's> Agent<World<'w, 's> = World> + Clone,
{
    pub(in crate::scene) fn of(mind: &Mind<A>) -> Part<A> {
        Part {
            agent: mind.agent.clone(),
            clock: mind.clock,
            wake: mind.runner.next_wake(),
            runner: mind.runner.save(),
        }
    }

    fn restore(self, trees: &Trees<A>, world: &mut World) -> Result<Mind<A>, RestoreError> {
        let mut mind = Mind {
            agent: self.agent,
            runner: Runner::restore(trees, &self.runner)?.at(self.clock),
            clock: self.clock,
            place: None,
        };
        // Who wants to be polled otherwise than it did has an action to resume, which is done in the
        // first poll. That is now and not in its next turn: nobody else is to take its seat, and no
        // answer is to come while nobody waits for it.
        if mind.runner.next_wake() != self.wake {
            mind.clock = world.now();
            mind.runner.poll_in(&mut mind.agent, world, mind.clock);
        }
        Ok(mind)
    }
}

impl SavedMind {
    /// Online id of the agent's entity.
    pub(super) fn entity(&self) -> u64 {
        match self {
            SavedMind::Monster(part) => part.agent.entity(),
            SavedMind::Player(part) => part.agent.entity(),
            SavedMind::Account(part) => part.agent.entity(),
        }
    }

    /// Has it again, on the trees of the program.
    pub(super) fn restore(
        self,
        forest: &Forest,
        world: &mut World,
    ) -> Result<Box<dyn Actor>, RestoreError> {
        Ok(match self {
            SavedMind::Monster(part) => Box::new(part.restore(&forest.monsters, world)?),
            SavedMind::Player(part) => Box::new(part.restore(&forest.players, world)?),
            SavedMind::Account(part) => Box::new(part.restore(&forest.accounts, world)?),
        })
    }
}

impl From<Part<MonsterAgent>> for SavedMind {
    fn from(part: Part<MonsterAgent>) -> SavedMind {
        SavedMind::Monster(part)
    }
}

impl From<Part<PlayerAgent>> for SavedMind {
    fn from(part: Part<PlayerAgent>) -> SavedMind {
        SavedMind::Player(part)
    }
}

impl From<Part<AccountAgent>> for SavedMind {
    fn from(part: Part<AccountAgent>) -> SavedMind {
        SavedMind::Account(part)
    }
}

//! The agents of one type that are due.

use std::time::Duration;

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bt_core::Runner;
use bt_core::pool::{AgentId, Reloads, WakeQueue};

use crate::{Brain, EcsAgent};

/// The agents of one type that have a tree, and which of them are due.
#[derive(Resource)]
pub struct Wakes<A: EcsAgent> {
    pub(crate) queue: WakeQueue,
    pub(crate) reloads: Reloads<A>,
    /// By the places of their ids.
    pub(crate) entities: Vec<Entity>,
    /// Those whose tree was loaded since the last round.
    pub(crate) begun: Vec<Entity>,
    due: Vec<AgentId>,
    polled: usize,
    /// The number of agents that came, and that went.
    moves: u64,
}

impl<A: EcsAgent> Default for Wakes<A> {
    fn default() -> Wakes<A> {
        Wakes {
            queue: WakeQueue::new(),
            reloads: Reloads::default(),
            entities: Vec::new(),
            begun: Vec::new(),
            due: Vec::new(),
            polled: 0,
            moves: 0,
        }
    }
}

impl<A: EcsAgent> Wakes<A> {
    /// The number of agents that have a tree.
    pub fn len(&self) -> usize {
        self.queue.len()
    }

    /// Returns true if no agent has a tree.
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// The number of agents that were polled in the last round: sleepers are not looked at.
    pub fn polled(&self) -> usize {
        self.polled
    }

    /// The entities of the agents that have a tree, in the order in which they are polled.
    pub fn entities(&self) -> impl Iterator<Item = Entity> {
        self.queue.ids().map(|id| self.entity(id))
    }

    /// Makes room for so many more agents.
    pub fn reserve(&mut self, more: usize) {
        self.queue.reserve(more);
        self.entities.reserve(more);
    }

    pub(crate) fn entity(&self, id: AgentId) -> Entity {
        self.entities[id.index() as usize]
    }

    pub(crate) fn join(&mut self, entity: Entity, runner: &mut Runner<A>) -> AgentId {
        let id = self.queue.join(runner);
        let place = id.index() as usize;
        if self.entities.len() <= place {
            self.entities.resize(place + 1, Entity::PLACEHOLDER);
        }
        self.entities[place] = entity;
        self.moves += 1;
        self.begun.push(entity);
        id
    }

    pub(crate) fn leave(&mut self, id: AgentId) {
        self.queue.leave(id);
        self.moves += 1;
    }

    /// Another number when other entities have trees.
    #[cfg(feature = "port")]
    pub(crate) fn version(&self) -> u64 {
        self.moves
    }

    /// Reads again when an agent is due: after whatever was done to its runner.
    pub(crate) fn schedule(&mut self, brain: &mut Brain<A>) {
        let id = brain.id();
        if let (Some(id), Some(runner)) = (id, brain.runner_mut()) {
            self.queue.schedule(id, runner);
        }
    }

    /// Begins a round: those who are due, whose list is given back by [`end_round`](Wakes::end_round).
    pub(crate) fn begin_round(&mut self, now: Duration) -> Vec<AgentId> {
        let mut due = std::mem::take(&mut self.due);
        self.queue.take_due(now, &mut due);
        self.polled = due.len();
        due
    }

    pub(crate) fn end_round(&mut self, due: Vec<AgentId>) {
        self.due = due;
        self.begun.clear();
    }
}

impl<A: EcsAgent> std::fmt::Debug for Wakes<A> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Wakes")
            .field("len", &self.len())
            .field("polled", &self.polled)
            .finish_non_exhaustive()
    }
}

/// A system's way to the runners of one type of agents.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bt_bevy::prelude::*;
///
/// #[derive(Component, Agent, Default)]
/// #[agent(world = Ecs<()>)]
/// struct Guard;
///
/// fn alarm(guards: Query<Entity, With<Guard>>, mut brains: Brains<Guard>) {
///     for guard in &guards {
///         brains.with(guard, |runner| runner.blackboard().set("alarm", true));
///     }
/// }
/// # let _ = alarm;
/// ```
#[derive(SystemParam)]
pub struct Brains<'w, 's, A: EcsAgent> {
    brains: Query<'w, 's, &'static mut Brain<A>>,
    wakes: ResMut<'w, Wakes<A>>,
}

impl<A: EcsAgent> Brains<'_, '_, A> {
    /// Changes the runner of an entity, or looks at it; none if that has no tree (yet). Whatever is done to it counts in
    /// the next round.
    pub fn with<R>(
        &mut self,
        entity: Entity,
        change: impl FnOnce(&mut Runner<A>) -> R,
    ) -> Option<R> {
        let mut brain = self.brains.get_mut(entity).ok()?;
        let brain = brain.bypass_change_detection();
        let result = change(brain.runner_mut()?);
        self.wakes.bypass_change_detection().schedule(brain);
        Some(result)
    }

    /// The same of all that have a tree, in the order in which they are polled.
    pub fn each(&mut self, mut change: impl FnMut(Entity, &mut Runner<A>)) {
        let entities: Vec<Entity> = self.wakes.entities().collect();
        for entity in entities {
            self.with(entity, |runner| change(entity, runner));
        }
    }
}

impl<A: EcsAgent> Brains<'_, '_, A> {
    /// Fires an event at an entity, with a tree or not yet; whether it has an agent of this type.
    pub(crate) fn fire(&mut self, entity: Entity, event: &bt_core::Event) -> bool {
        let Ok(mut brain) = self.brains.get_mut(entity) else {
            return false;
        };
        let brain = brain.bypass_change_detection();
        brain.fire(event.clone());
        self.wakes.bypass_change_detection().schedule(brain);
        true
    }
}

impl<A: EcsAgent> Brains<'_, '_, A> {
    /// Those whose tree was loaded since the last round.
    pub(crate) fn begun(&self) -> Vec<Entity> {
        self.wakes.begun.clone()
    }
}

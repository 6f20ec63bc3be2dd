//! Events for trees, and messages about them.

use bevy_ecs::prelude::*;
use bevy_ecs::system::EntityCommands;

use crate::{Brains, EcsAgent};

/// An event for the tree of an entity.
///
/// [`EntityFire::fire`] sends it. One that comes before the tree is loaded waits for it; one for an entity without an
/// agent is reported in the log.
#[derive(EntityEvent, Debug, Clone)]
pub struct Fire {
    /// The agent's entity.
    pub entity: Entity,
    /// The event.
    pub event: bt_core::Event,
    delivered: bool,
}

impl Fire {
    /// An event for the tree of an entity.
    pub fn new(entity: Entity, event: bt_core::Event) -> Fire {
        Fire {
            entity,
            event,
            delivered: false,
        }
    }

    /// Sends it at once.
    pub fn send(mut self, world: &mut World) {
        world.trigger_ref(&mut self);
        if !self.delivered {
            let (entity, event) = (self.entity, self.event.name());
            tracing::warn!(
                target: "bt",
                "event `{event}` is not delivered: entity {entity} has no agent; spawn one whose type was given to `add_agent`"
            );
        }
    }
}

/// Fires events at the trees of entities.
pub trait EntityFire {
    /// Fires an event at the entity's tree.
    fn fire(&mut self, event: bt_core::Event) -> &mut Self;
}

impl EntityFire for EntityCommands<'_> {
    fn fire(&mut self, event: bt_core::Event) -> &mut Self {
        let fire = Fire::new(self.id(), event);
        self.commands()
            .queue(move |world: &mut World| fire.send(world));
        self
    }
}

impl EntityFire for EntityWorldMut<'_> {
    fn fire(&mut self, event: bt_core::Event) -> &mut Self {
        let fire = Fire::new(self.id(), event);
        self.world_scope(|world| fire.send(world));
        self
    }
}

/// A tree ended: for good, or to begin again in a later round. One that begins again in the same poll is not reported.
#[derive(Message, Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeEnded {
    /// The agent's entity.
    pub entity: Entity,
    /// True if it succeeded.
    pub success: bool,
}

/// Hands an event to the agent that it is for, if it is of this type.
pub(crate) fn deliver<A: EcsAgent>(mut on: On<Fire>, mut brains: Brains<A>) {
    let fire = on.event_mut();
    fire.delivered |= brains.fire(fire.entity, &fire.event);
}

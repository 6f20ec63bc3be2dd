//! The world of an agent: a system's parameters, the agent's entity, and effects in their order.

use std::ops::{Deref, DerefMut};

use bevy_ecs::component::{Component, Mutable};
use bevy_ecs::entity::Entity;
use bevy_ecs::event::Event;
use bevy_ecs::message::Message;
use bevy_ecs::system::{SystemParam, SystemParamItem};
use bevy_ecs::world::{CommandQueue, World};
use bt_core::Agent;

use crate::Fire;

/// The world of an agent: the parameters of a system, by [`Deref`], and the entity whose turn it is.
///
/// `T` is any `#[derive(SystemParam)]`: what a system can have, an action can have. What an agent queues here happens
/// after the round, in the order of the agents' ids, in however many parts they are polled.
pub struct Ecs<T> {
    entity: Entity,
    effects: CommandQueue,
    params: T,
}

impl<T> Ecs<T> {
    /// The world of one agent, for tests that call its methods themselves.
    pub fn new(entity: Entity, params: T) -> Ecs<T> {
        Ecs {
            entity,
            effects: CommandQueue::default(),
            params,
        }
    }

    /// The agent's entity. When its exit methods run because it was despawned, it is there no more.
    pub fn entity(&self) -> Entity {
        self.entity
    }

    /// Does something with the world, after the round.
    pub fn queue(&mut self, command: impl FnOnce(&mut World) + Send + 'static) {
        self.effects.push(command);
    }

    /// Triggers an event for its observers, after the round.
    pub fn trigger<E>(&mut self, event: E)
    where
        E: for<'t> Event<Trigger<'t>: Default> + Send + 'static,
    {
        self.queue(move |world| world.trigger(event));
    }

    /// Writes a message, after the round.
    pub fn write<M: Message>(&mut self, message: M) {
        self.queue(move |world| _ = world.write_message(message));
    }

    /// Fires an event at an agent's tree, its own or another's, after the round.
    pub fn fire(&mut self, entity: Entity, event: bt_core::Event) {
        self.queue(move |world| Fire::new(entity, event).send(world));
    }
}

impl<T> Deref for Ecs<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.params
    }
}

impl<T> DerefMut for Ecs<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.params
    }
}

impl<T> std::fmt::Debug for Ecs<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ecs")
            .field("entity", &self.entity)
            .finish_non_exhaustive()
    }
}

/// A world type whose parameters are known: every [`Ecs`].
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "an agent in Bevy acts on an `Ecs`, not on `{Self}`",
    label = "its world is no `Ecs`",
    note = "write `#[agent(world = Ecs<Level<'w, 's>>)]` below `#[derive(Agent)]`, where `Level` derives `SystemParam`; \
            `Ecs<()>` needs no parameters"
)]
pub trait EcsWorld {
    /// The parameters, as a system names them.
    type Params: SystemParam + 'static;
}

impl<T: SystemParam + 'static> EcsWorld for Ecs<T> {
    type Params = T;
}

/// The parameters of one run of a system as that world.
///
/// `for<'w, 's> Agent<World<'w, 's> = Ecs<SystemParamItem<'w, 's, P>>>` says the same and does not compile: rustc 1.95 does
/// not normalise the projection below the binder.
#[doc(hidden)]
pub trait Lends<'w, 's, P: SystemParam> {
    /// Makes the world.
    fn lend(params: SystemParamItem<'w, 's, P>) -> Self;
    /// Another agent's turn begins.
    fn begin_turn(&mut self, entity: Entity);
    /// Takes what was queued.
    fn take_effects(&mut self) -> CommandQueue;
}

impl<'w, 's, T, P: SystemParam<Item<'w, 's> = T>> Lends<'w, 's, P> for Ecs<T> {
    fn lend(params: T) -> Ecs<T> {
        Ecs::new(Entity::PLACEHOLDER, params)
    }

    fn begin_turn(&mut self, entity: Entity) {
        self.entity = entity;
    }

    fn take_effects(&mut self) -> CommandQueue {
        std::mem::take(&mut self.effects)
    }
}

type ParamsOf<A> = <<A as Agent>::World<'static, 'static> as EcsWorld>::Params;

/// An agent that is a component, and whose world is an [`Ecs`]; every such type is one.
///
/// It is `Default`, because an entity that is despawned takes its agent along: the exit methods run afterwards, with the
/// agent as it was.
pub trait EcsAgent: Agent + Component<Mutability = Mutable> + Default {
    /// The parameters of its world, as a system names them.
    type Params: SystemParam + 'static;

    #[doc(hidden)]
    fn lend<'w, 's>(params: SystemParamItem<'w, 's, Self::Params>) -> Self::World<'w, 's>;

    #[doc(hidden)]
    fn begin_turn(world: &mut Self::World<'_, '_>, entity: Entity);

    #[doc(hidden)]
    fn take_effects(world: &mut Self::World<'_, '_>) -> CommandQueue;
}

impl<A> EcsAgent for A
where
    A: Agent + Component<Mutability = Mutable> + Default,
    A::World<'static, 'static>: EcsWorld,
    for<'w, 's> A::World<'w, 's>: Lends<'w, 's, ParamsOf<A>>,
{
    type Params = ParamsOf<A>;

    fn lend<'w, 's>(params: SystemParamItem<'w, 's, Self::Params>) -> Self::World<'w, 's> {
        Lends::lend(params)
    }

    fn begin_turn(world: &mut Self::World<'_, '_>, entity: Entity) {
        world.begin_turn(entity);
    }

    fn take_effects(world: &mut Self::World<'_, '_>) -> CommandQueue {
        world.take_effects()
    }
}

/// The name of an agent's type for messages, without its modules.
pub(crate) fn short_name<A>() -> &'static str {
    let name = std::any::type_name::<A>();
    let end = name.find('<').unwrap_or(name.len());
    let start = name[..end].rfind("::").map_or(0, |colons| colons + 2);
    &name[start..]
}

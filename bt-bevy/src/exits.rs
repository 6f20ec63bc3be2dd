//! Exits that run when an agent goes: exactly once, with its world.
//!
//! A hook has no parameters of systems, so it takes the runner along, and the agent where that is about to be dropped; a
//! command stops the tree afterwards.

use bevy_app::AppExit;
use bevy_ecs::lifecycle::{HookContext, Remove};
use bevy_ecs::message::Messages;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_platform::cell::SyncCell;
use bt_core::Runner;

use crate::reach::{Reached, reach};
use crate::{Brain, BtClock, EcsAgent, Wakes};

/// The runners that were taken along, each of an entity whose agent or brain is gone.
#[derive(Resource)]
pub(crate) struct Leaving<A: EcsAgent>(Vec<Left<A>>);

struct Left<A: EcsAgent> {
    entity: Entity,
    runner: SyncCell<Box<Runner<A>>>,
    /// None if it is still the entity's.
    agent: Option<A>,
}

impl<A: EcsAgent> Default for Leaving<A> {
    fn default() -> Leaving<A> {
        Leaving(Vec::new())
    }
}

/// Sees to agents whose component is removed, or whose app exits.
pub(crate) fn plugin<A: EcsAgent>(app: &mut bevy_app::App) {
    app.init_resource::<Leaving<A>>();
    let world = app.world_mut();
    let hooks = world.register_component_hooks::<A>();
    // Observers of the removal ran before, and saw the agent as it was.
    if hooks.try_on_remove(lose_agent::<A>).is_none() {
        // It has a hook of its own.
        app.add_observer(|on: On<Remove<A>>, mut world: DeferredWorld<'_>| {
            take_agent::<A>(&mut world, on.event().entity);
        });
    }
    let exits = |messages: Option<Res<'_, Messages<AppExit>>>| {
        messages.is_some_and(|messages| !messages.is_empty())
    };
    let stop = stop_all::<A>
        .in_set(bevy_app::OnAppExitSystems)
        .run_if(exits);
    app.add_systems(bevy_app::Last, stop);
}

/// A brain is removed or replaced, or its entity despawned.
pub(crate) fn lose_brain<A: EcsAgent>(mut world: DeferredWorld<'_>, cx: HookContext) {
    take_runner::<A>(&mut world, cx.entity);
}

fn lose_agent<A: EcsAgent>(mut world: DeferredWorld<'_>, cx: HookContext) {
    take_agent::<A>(&mut world, cx.entity);
}

/// Takes the runner of an entity along, if it has one.
fn take_runner<A: EcsAgent>(world: &mut DeferredWorld<'_>, entity: Entity) {
    let Some(mut brain) = world.get_mut::<Brain<A>>(entity) else {
        return;
    };
    let (Some(runner), id) = brain.bypass_change_detection().take() else {
        return;
    };
    if let (Some(id), Some(mut wakes)) = (id, world.get_resource_mut::<Wakes<A>>()) {
        wakes.bypass_change_detection().leave(id);
    }
    if let Some(mut leaving) = world.get_resource_mut::<Leaving<A>>() {
        leaving.0.push(Left {
            entity,
            runner: SyncCell::new(runner),
            agent: None,
        });
        world
            .commands()
            .queue(move |world: &mut World| stop_left::<A>(world, entity));
    }
}

/// Takes an agent along whose runner goes with it.
fn take_agent<A: EcsAgent>(world: &mut DeferredWorld<'_>, entity: Entity) {
    take_runner::<A>(world, entity);
    let leaving = world.get_resource::<Leaving<A>>();
    let is_left = |left: &Left<A>| left.entity == entity && left.agent.is_none();
    let Some(at) = leaving.and_then(|leaving| leaving.0.iter().rposition(is_left)) else {
        return;
    };
    let agent = world.get_mut::<A>(entity);
    let agent = agent.map(|mut agent| std::mem::take(agent.bypass_change_detection()));
    if let Some(mut leaving) = world.get_resource_mut::<Leaving<A>>() {
        leaving.0[at].agent = agent;
    }
    // An agent that is inserted again gets a new one.
    world.commands().queue(move |world: &mut World| {
        if let Ok(mut entity) = world.get_entity_mut(entity) {
            entity.remove::<Brain<A>>();
        }
    });
}

/// Stops the tree of an entity that was taken along.
fn stop_left<A: EcsAgent>(world: &mut World, entity: Entity) {
    let mut leaving = world.resource_mut::<Leaving<A>>();
    let found = leaving.0.iter().position(|left| left.entity == entity);
    if let Some(at) = found {
        let left = leaving.0.remove(at);
        stop(world, left);
    }
}

fn stop<A: EcsAgent>(world: &mut World, mut left: Left<A>) {
    let now = world.resource::<BtClock>().now();
    reach::<A, _>(world, left.entity, |reached| {
        let Reached { agent, world, .. } = reached;
        let mut agent = agent;
        let agent = left.agent.as_mut().or(agent.as_deref_mut());
        if let Some(agent) = agent {
            left.runner.get().stop_in(agent, world, now);
        }
    });
}

/// Stops all trees: the app exits, and a `World` that is dropped runs no hooks.
fn stop_all<A: EcsAgent>(world: &mut World) {
    let entities: Vec<Entity> = world.resource::<Wakes<A>>().entities().collect();
    for entity in entities {
        take_runner::<A>(&mut world.into(), entity);
        world.flush();
    }
}

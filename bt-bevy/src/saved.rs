//! Running agents as text, and back.

use bevy_ecs::prelude::*;
use bevy_reflect::Reflect;
use bt_core::{RestoreError, Runner, Saved, Trees};

use crate::{Brain, BtClock, EcsAgent, Wakes};

/// A saved agent, as JSON: everything that its trees know. The agent's own component is the game's to save.
///
/// [`SaveBrains::save_brains`] writes it. An entity that is spawned with it, with an agent and with its
/// [`BehaviorTree`](crate::BehaviorTree), resumes where it was, and it is removed.
#[derive(Component, Reflect, Debug, Clone, PartialEq, Eq)]
#[reflect(Component)]
pub struct SavedBrain(pub String);

impl SavedBrain {
    /// The runner that it was. Times go on from where they were, whatever the clock says.
    ///
    /// # Errors
    /// [`RestoreError`] if it is no saved agent, or one of another type. One whose trees changed meanwhile moves to the
    /// changed ones.
    pub fn restore<A: EcsAgent>(&self, trees: &Trees<A>) -> Result<Runner<A>, RestoreError> {
        Runner::restore_or_restart(trees, &Saved::from_json(&self.0)?)
    }
}

/// Saves agents.
pub trait SaveBrains {
    /// Writes a [`SavedBrain`] to each entity that has a tree, as of now.
    fn save_brains(&mut self);
}

impl SaveBrains for World {
    fn save_brains(&mut self) {
        let Some(savers) = self.get_resource::<Savers>() else {
            return;
        };
        for save in savers.0.clone() {
            save(self);
        }
    }
}

/// The functions that save the agents of each type.
#[derive(Resource, Default)]
struct Savers(Vec<fn(&mut World)>);

pub(crate) fn plugin<A: EcsAgent>(app: &mut bevy_app::App) {
    let mut savers = app.world_mut().get_resource_or_init::<Savers>();
    savers.0.push(save_all::<A>);
}

fn save_all<A: EcsAgent>(world: &mut World) {
    let now = world.resource::<BtClock>().now();
    let entities: Vec<Entity> = world.resource::<Wakes<A>>().entities().collect();
    for entity in entities {
        let Ok(mut entity) = world.get_entity_mut(entity) else {
            continue;
        };
        let brain = entity.get_mut::<Brain<A>>();
        let saved = brain.and_then(|mut brain| {
            let runner = brain.bypass_change_detection().runner_mut()?;
            Some(runner.save_at(now).to_json())
        });
        if let Some(saved) = saved {
            entity.insert(SavedBrain(saved));
        }
    }
}

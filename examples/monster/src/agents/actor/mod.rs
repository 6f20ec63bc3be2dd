//! [`ActorAgent`], the base of all others: one block of actions for each subject.

mod events;
mod search;
mod timers;
pub(crate) mod walking;

use bt_core::prelude::*;
use serde::{Deserialize, Serialize};

use crate::{Point, Stance, World, WorldError};

/// Anything that acts: it walks, looks around, speaks and sets itself alarms.
#[derive(Debug, Clone, Agent, Serialize, Deserialize)]
#[agent(world = World, display = "角色")]
pub struct ActorAgent {
    /// Online id of the entity that this agent drives.
    #[property(read_only, alias = ["id"], display = "实体编号")]
    entity: u64,
}

impl ActorAgent {
    /// The agent of an entity.
    pub fn new(entity: u64) -> ActorAgent {
        ActorAgent { entity }
    }

    /// Online id of the entity that this agent drives.
    pub fn entity(&self) -> u64 {
        self.entity
    }
}

#[agent]
impl ActorAgent {
    /// The distance that any actor sees.
    #[property(unit = "m")]
    pub const SIGHT: f64 = 30.0;

    /// Hit points left; 0 once the entity is dead or gone.
    #[property(min = 0.0, unit = "hp", category = "combat", display = "生命值")]
    pub fn health(&self, #[world] world: &World) -> f64 {
        world
            .entity(self.entity)
            .map_or(0.0, |entity| entity.health)
    }

    /// The point at which the entity stands; the map's corner once it is gone.
    #[property(unit = "m", category = "movement")]
    pub fn position(&self, #[world] world: &World) -> Point {
        let entity = world.entity(self.entity);
        entity.map_or(Point::default(), |entity| entity.position)
    }

    /// Speed at the pace of the alert stance.
    #[property(unit = "m/s", category = "movement", display = "速度")]
    pub fn speed(&self, #[world] world: &World) -> f64 {
        world.entity(self.entity).map_or(0.0, |entity| entity.speed)
    }

    /// Sets the speed.
    ///
    /// # Errors
    /// [`WorldError::Unknown`] if the entity is gone.
    #[property(set, min = 0.0, max = 12.0)]
    pub fn set_speed(&mut self, #[world] world: &mut World, speed: f64) -> Result<(), WorldError> {
        world.entity_mut(self.entity)?.speed = speed;
        Ok(())
    }

    /// The stance of the entity, which sets its pace.
    #[property(category = "movement", display = "姿态")]
    pub fn stance(&self, #[world] world: &World) -> Stance {
        let entity = world.entity(self.entity);
        entity.map_or(Stance::default(), |entity| entity.stance)
    }

    /// Sets how the entity holds itself.
    ///
    /// # Errors
    /// [`WorldError::Unknown`] if the entity is gone.
    #[property(set, name = "stance")]
    pub fn hold(&mut self, #[world] world: &mut World, stance: Stance) -> Result<(), WorldError> {
        world.entity_mut(self.entity)?.stance = stance;
        Ok(())
    }

    /// Hold oneself differently from now on.
    ///
    /// # Returns
    /// `true`; `false` once the entity is gone.
    #[action(category = "movement", display = "切换姿态")]
    pub fn set_stance(
        &mut self,
        #[world] world: &mut World,
        /// The stance to take, which sets the pace.
        #[arg(default = Stance::Alert)]
        stance: Stance,
    ) -> Result<(), WorldError> {
        self.hold(world, stance)
    }

    /// Is this how the entity holds itself?
    ///
    /// # Returns
    /// `true` if it is.
    #[condition(category = "movement")]
    pub fn has_stance(
        &self,
        #[world] world: &World,
        /// The stance to compare with.
        stance: Stance,
    ) -> bool {
        self.stance(world) == stance
    }

    /// Say something aloud.
    ///
    /// Everybody within 15 metres hears it, behind walls too.
    ///
    /// # Returns
    /// `true`; `false` for the dead.
    #[action(category = "talk", display = "说话")]
    pub fn say(
        &mut self,
        #[world] world: &mut World,
        /// The words to say.
        words: &str,
    ) -> Result<(), WorldError> {
        world.living(self.entity)?;
        world.say(self.entity, words);
        Ok(())
    }
}

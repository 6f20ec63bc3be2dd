//! The player's fights and potions.

use std::time::Duration;

use bt_core::prelude::*;

use super::PlayerAgent;
use crate::{World, WorldError};

/// The time that it takes to drink a potion.
const DRINKING: Duration = Duration::from_millis(1500);

#[agent]
impl PlayerAgent {
    /// Fight an entity to its end.
    ///
    /// Polled: it walks up whenever the entity is out of reach, and attacks whenever it is not.
    ///
    /// # Returns
    /// `true` when the other is dead, `false` if it is gone or cannot be got at.
    #[action(category = "combat", display = "战斗", exit = "leave_fight")]
    pub fn fight(
        &mut self,
        #[world] world: &mut World,
        /// Online id of the entity to fight.
        target: u64,
    ) -> Result<Status, WorldError> {
        let me = world.living(self.entity())?;
        if !world.entity(target)?.is_alive() {
            self.victories += 1;
            return Ok(Status::Success);
        }
        if me.is_attacking() {
            return Ok(Status::Running);
        }
        if world.can_hit(self.entity(), target).is_ok() {
            world.begin_attack(self.entity(), target)?;
        } else if !me.is_moving() {
            let range = me.reach * 0.8;
            world.follow(self.entity(), target, range)?;
        }
        Ok(Status::Running)
    }

    /// Clean-up of `fight`: weapon down, feet still.
    pub fn leave_fight(&mut self, #[world] world: &mut World, _cx: &mut Context, _exit: Exit) {
        world.cancel_attack(self.entity());
        world.stop(self.entity());
    }

    /// Drink a healing potion.
    ///
    /// # Returns
    /// `true` once it is empty, `false` if there is none; who is interrupted keeps it.
    #[action(category = "combat", display = "喝药水", exit = "leave_drinking")]
    pub fn drink_potion(
        &mut self,
        #[world] world: &World,
        cx: &mut Context,
    ) -> Result<Option<bool>, WorldError> {
        if world.living(self.entity())?.potions == 0 {
            return Err(WorldError::Missing("potion"));
        }
        cx.finish_after(DRINKING, true);
        Ok(None)
    }

    /// The end of `drink_potion`: only who was not interrupted has drunk it.
    pub fn leave_drinking(&mut self, #[world] world: &mut World, _cx: &mut Context, exit: Exit) {
        if exit == Exit::Success {
            // Nobody else takes it meanwhile; who died meanwhile drinks no more.
            let _ = world.drink_potion(self.entity());
        }
    }

    /// Does the player need healing?
    ///
    /// # Returns
    /// `true` if too little health is left.
    #[condition(category = "combat", display = "需要治疗")]
    pub fn needs_healing(
        &self,
        #[world] world: &World,
        /// The share of health to heal below; left out, the player's own.
        #[arg(min = 0.0, max = 1.0)]
        below: Option<f64>,
    ) -> bool {
        let entity = world.living(self.entity());
        entity.is_ok_and(|entity| entity.health_share() < below.unwrap_or(self.heal_below))
    }

    /// Does the player carry potions?
    ///
    /// # Returns
    /// `true` if it carries that many.
    #[condition(category = "combat")]
    pub fn has_potions(
        &self,
        #[world] world: &World,
        /// The number that is enough.
        #[arg(default = 1, min = 1)]
        count: u32,
    ) -> bool {
        self.potions(world) >= count
    }
}

//! Blows, wounds and rest.

use std::time::Duration;

use bt_core::prelude::*;

use super::MonsterAgent;
use crate::{World, WorldError};

/// The time for which a monster draws breath for a smash.
const SMASH_WIND_UP: Duration = Duration::from_millis(1200);

#[agent]
impl MonsterAgent {
    /// Attack once.
    ///
    /// The world does the wind-up and says how it ended.
    ///
    /// # Returns
    /// `true` when it hits, `false` when it misses or the target is out of reach from the start.
    #[action(category = "combat", display = "攻击", exit = "leave_attack")]
    pub fn attack(
        &mut self,
        #[world] world: &mut World,
        cx: &mut Context,
        /// Online id of the entity to hit.
        target: u64,
    ) -> Result<Option<bool>, WorldError> {
        world.begin_attack(self.entity(), target)?;
        cx.finish_on("attack_landed", true);
        cx.finish_on("attack_missed", false);
        Ok(None)
    }

    /// Clean-up of `attack`: an interrupted blow hits nobody.
    pub fn leave_attack(&mut self, #[world] world: &mut World, _cx: &mut Context, exit: Exit) {
        if exit == Exit::Aborted {
            world.cancel_attack(self.entity());
        }
    }

    /// Smash the ground so that all enemies in reach are hurt.
    ///
    /// The tree does the wind-up here, and the blow falls when the action ends by itself.
    ///
    /// # Returns
    /// `true` when the blow has fallen, whomever it hit.
    #[action(category = "combat", display = "重击", exit = "leave_smash")]
    pub fn smash(
        &mut self,
        #[world] world: &mut World,
        cx: &mut Context,
    ) -> Result<Option<bool>, WorldError> {
        world.living(self.entity())?;
        world.stop(self.entity());
        cx.finish_after(SMASH_WIND_UP, true);
        Ok(None)
    }

    /// The end of `smash`: the blow falls, unless something interrupted it.
    pub fn leave_smash(&mut self, #[world] world: &mut World, _cx: &mut Context, exit: Exit) {
        let me = self.entity();
        let Ok(attacker) = world.living(me) else {
            return;
        };
        if exit != Exit::Success {
            return;
        }
        let (kind, reach, damage) = (attacker.kind, attacker.reach, attacker.damage * 2.0);
        let around = world.around(me, reach * 2.0).into_iter();
        let hit = around.filter(|other| kind.is_hostile_to(other.kind) && world.sees(me, other.id));
        let hit: Vec<u64> = hit.map(|other| other.id).collect();
        for victim in hit {
            world.hurt(victim, me, damage);
        }
    }

    /// Rest until all wounds are healed.
    ///
    /// Polled: the world heals who rests, and disturbs the rest of who is hurt.
    ///
    /// # Returns
    /// `true` when unhurt, `false` if disturbed.
    #[action(category = "combat", display = "休息", exit = "leave_rest")]
    pub fn rest(&mut self, #[world] world: &mut World) -> Result<Status, WorldError> {
        let me = world.living(self.entity())?;
        if me.health >= me.max_health {
            return Ok(Status::Success);
        }
        if !self.resting {
            self.resting = true;
            world.begin_rest(self.entity())?;
        } else if !me.resting {
            return Ok(Status::Failure);
        }
        Ok(Status::Running)
    }

    /// Clean-up of `rest`: on its feet again.
    pub fn leave_rest(&mut self, #[world] world: &mut World, _cx: &mut Context, _exit: Exit) {
        self.resting = false;
        if let Ok(entity) = world.entity_mut(self.entity()) {
            entity.resting = false;
        }
    }

    /// Could the monster hit the entity right now?
    ///
    /// # Returns
    /// `true` if it is alive, in reach and in sight.
    #[condition(category = "combat", display = "在攻击范围内")]
    pub fn in_reach(
        &self,
        #[world] world: &World,
        /// Online id of the entity.
        target: u64,
    ) -> bool {
        world.can_hit(self.entity(), target).is_ok()
    }

    /// Is it time to flee?
    ///
    /// # Returns
    /// `true` if too little health is left.
    #[condition(category = "combat", display = "应当逃跑")]
    pub fn should_flee(
        &self,
        #[world] world: &World,
        /// The share of health to flee below; left out, the monster's own.
        #[arg(min = 0.0, max = 1.0)]
        below: Option<f64>,
    ) -> bool {
        self.health_share(world) < below.unwrap_or(self.flee_below)
    }

    /// Do something over and over while healthy.
    ///
    /// # Returns
    /// Runs its child again after each success; succeeds once too little health is left, fails
    /// with its child.
    #[decorator(category = "combat", display = "健康时循环")]
    pub fn while_healthy(
        &mut self,
        #[world] world: &World,
        /// The share of health that is enough.
        #[arg(default = 0.5, min = 0.0, max = 1.0)]
        share: f64,
        ended: Option<bool>,
    ) -> Next {
        match ended {
            Some(false) => Next::Fail,
            _ if self.health_share(world) >= share => Next::Run,
            _ => Next::Succeed,
        }
    }
}

//! Fighting: the wind-up, the hit, wounds, death and rest.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Blueprint, Kind, World, WorldError};
use crate::agents::{AccountAgent, ActorAgent};

/// Hit points a second that rest gives back.
const RECOVERY: f64 = 5.0;

/// The events that end a swing, for the attacker.
const ENDS: [&str; 2] = ["attack_landed", "attack_missed"];

/// A raised weapon.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Swing {
    target: u64,
    hits_at: Duration,
}

/// The reason why an attack hit nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MissReason {
    /// The target was dead by then.
    Dead,
    /// The target had gone too far away, or behind something.
    OutOfReach,
}

impl World {
    /// Returns whether one entity could hit another now: alive, close enough, nothing between them.
    ///
    /// # Errors
    /// [`WorldError`] that says why not.
    pub fn can_hit(&self, attacker: u64, target: u64) -> Result<(), WorldError> {
        let reach = self.living(attacker)?.reach;
        self.living(target)?;
        let near = self.distance(attacker, target).is_some_and(|d| d <= reach);
        if near && attacker != target && self.sees(attacker, target) {
            Ok(())
        } else {
            Err(WorldError::OutOfReach(target))
        }
    }

    /// Raises an entity's weapon: after its wind-up it hits, or misses if the target has gone. The
    /// attacker is told `attack_landed` or `attack_missed`.
    ///
    /// # Errors
    /// [`WorldError`] if the target cannot be hit now, or the attacker is in a swing already.
    pub fn begin_attack(&mut self, attacker: u64, target: u64) -> Result<(), WorldError> {
        self.can_hit(attacker, target)?;
        if self.entity(attacker)?.is_attacking() {
            return Err(WorldError::Busy(attacker));
        }
        self.untell(attacker, &ENDS);
        self.stop(attacker);
        let now = self.now;
        let at = self.entity(target)?.position;
        let entity = self.entity_mut(attacker)?;
        entity.resting = false;
        entity.facing = at;
        entity.swing = Some(Swing {
            target,
            hits_at: now + entity.wind_up,
        });
        Ok(())
    }

    /// Lowers an entity's weapon before it hits; whether it was raised.
    pub fn cancel_attack(&mut self, attacker: u64) -> bool {
        self.untell(attacker, &ENDS);
        match self.entity_mut(attacker) {
            Ok(entity) => entity.swing.take().is_some(),
            Err(_) => false,
        }
    }

    /// Takes hit points from an entity. It is told `hurt`, or `died`.
    pub fn hurt(&mut self, target: u64, attacker: u64, damage: f64) {
        let Ok(entity) = self.entity_mut(target) else {
            return;
        };
        if !entity.is_alive() {
            return;
        }
        entity.resting = false;
        entity.health = (entity.health - damage).max(0.0);
        if entity.is_alive() {
            self.tell(target, ActorAgent::hurt(attacker, damage));
        } else {
            self.die(target, attacker);
        }
    }

    /// Gives hit points back, not more than the entity had unhurt; how many.
    pub fn heal(&mut self, id: u64, points: f64) -> f64 {
        match self.entity_mut(id) {
            Ok(entity) if entity.is_alive() => {
                let before = entity.health;
                entity.health = (before + points.max(0.0)).min(entity.max_health);
                entity.health - before
            }
            _ => 0.0,
        }
    }

    /// Sits an entity down to recover, until it moves, fights or is hurt.
    ///
    /// # Errors
    /// [`WorldError`] if it is dead.
    pub fn begin_rest(&mut self, id: u64) -> Result<(), WorldError> {
        self.living(id)?;
        self.stop(id);
        self.entity_mut(id)?.resting = true;
        Ok(())
    }

    fn die(&mut self, victim: u64, killer: u64) {
        self.stop(victim);
        self.cancel_attack(victim);
        self.cancel_alarms(victim);
        self.tell(victim, ActorAgent::died(killer));
        self.lose_target(victim);
        if let Ok(entity) = self.entity_mut(victim) {
            let (at, kind, name) = (entity.position, entity.kind, entity.name.clone());
            let (strength, owner) = (entity.max_health, entity.owner);
            // Monsters drop what they carry; players keep it.
            if kind == Kind::Monster && entity.gold > 0 {
                let gold = std::mem::take(&mut entity.gold);
                self.spawn(Blueprint::loot(gold, at));
            }
            if let Some(owner) = owner {
                self.tell(owner, AccountAgent::player_died(victim));
            }
            self.count_kill(killer, &name);
            self.learn(killer, strength);
        }
    }

    pub(super) fn step_combat(&mut self, seconds: f64) {
        let now = self.now;
        let mut due = Vec::new();
        let mut resting = Vec::new();
        for entity in self.entities.values_mut() {
            if entity.resting {
                resting.push(entity.id);
            }
            if let Some(swing) = entity.swing.take_if(|swing| swing.hits_at <= now) {
                due.push((swing.hits_at, entity.id, swing.target));
            }
        }
        for id in resting {
            self.heal(id, RECOVERY * seconds);
        }
        // The faster one hits first, also where both fall into one step.
        due.sort();
        for (_, attacker, target) in due {
            self.land(attacker, target);
        }
    }

    fn land(&mut self, attacker: u64, target: u64) {
        let Ok(damage) = self.living(attacker).map(|attacker| attacker.damage) else {
            return;
        };
        let event = match self.can_hit(attacker, target) {
            Ok(()) => ActorAgent::attack_landed(target, damage),
            Err(error) => {
                let is_near = !matches!(error, WorldError::OutOfReach(_));
                let why = if is_near {
                    MissReason::Dead
                } else {
                    MissReason::OutOfReach
                };
                ActorAgent::attack_missed(target, why)
            }
        };
        let landed = event.name() == "attack_landed";
        self.tell(attacker, event);
        if landed {
            self.hurt(target, attacker, damage);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Point;
    use bt_core::Event;

    const TICK: Duration = Duration::from_millis(100);

    fn duel() -> (World, u64, u64) {
        let mut world = World::new();
        let wolf = world.spawn(Blueprint::monster("wolf", Point::new(10.0, 10.0)).gold(7));
        let hero = world.spawn(Blueprint::player("hero", Point::new(11.0, 10.0)).health(9.0));
        (world, wolf, hero)
    }

    fn steps(world: &mut World, count: u32) -> Vec<(u64, Event)> {
        (0..count).for_each(|_| world.step(TICK));
        world.take_events()
    }

    #[test]
    fn an_attack_hits_when_the_wind_up_is_over() {
        let (mut world, wolf, hero) = duel();
        world.begin_attack(wolf, hero).unwrap();
        assert_eq!(world.begin_attack(wolf, hero), Err(WorldError::Busy(wolf)));
        assert_eq!(steps(&mut world, 4), []);
        let landed = ActorAgent::attack_landed(hero, 5.0);
        let hurt = ActorAgent::hurt(wolf, 5.0);
        assert_eq!(steps(&mut world, 1), [(wolf, landed), (hero, hurt)]);
        assert_eq!(world.entity(hero).unwrap().health, 4.0);
    }

    #[test]
    fn attack_misses_a_target_that_walks_out_of_reach() {
        let (mut world, wolf, hero) = duel();
        world.begin_attack(wolf, hero).unwrap();
        world.walk_to(hero, Point::new(30.0, 10.0)).unwrap();
        let missed = ActorAgent::attack_missed(hero, MissReason::OutOfReach);
        assert_eq!(steps(&mut world, 9), [(wolf, missed)]);
    }

    #[test]
    fn a_lowered_weapon_hits_nobody() {
        let (mut world, wolf, hero) = duel();
        world.begin_attack(wolf, hero).unwrap();
        assert!(world.cancel_attack(wolf));
        assert_eq!(steps(&mut world, 20), []);
    }

    #[test]
    fn the_dead_drop_their_gold_and_are_attacked_no_more() {
        let (mut world, wolf, hero) = duel();
        world.follow(hero, wolf, 0.5).unwrap();
        world.hurt(wolf, hero, 99.0);
        let died = (wolf, ActorAgent::died(hero));
        let lost = (hero, ActorAgent::target_lost(wolf));
        assert_eq!(world.take_events(), [died, lost]);
        assert_eq!(world.begin_attack(hero, wolf), Err(WorldError::Dead(wolf)));
        let loot = world.around(hero, 5.0)[0];
        assert_eq!((loot.kind, loot.gold), (Kind::Loot, 7));
    }

    #[test]
    fn rest_heals_until_somebody_disturbs_it() {
        let (mut world, wolf, hero) = duel();
        world.hurt(hero, wolf, 6.0);
        world.begin_rest(hero).unwrap();
        steps(&mut world, 10);
        assert!((world.entity(hero).unwrap().health - 8.0).abs() < 1e-9);
        world.hurt(hero, wolf, 1.0);
        assert!(!world.entity(hero).unwrap().resting);
    }
}

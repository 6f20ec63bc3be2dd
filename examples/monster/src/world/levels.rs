//! The experience that players gain from their fights.

use super::{Kind, World};
use crate::agents::PlayerAgent;

/// The experience that the first level takes to rise from; each further one takes as much more.
const FIRST_LEVEL: u32 = 100;

impl World {
    /// Lets who has killed somebody learn from it; the stronger the victim, the more. A player that
    /// rises is told `level_reached`: it is unhurt, and stronger from now on.
    pub(super) fn learn(&mut self, killer: u64, strength: f64) {
        let Ok(entity) = self.entity_mut(killer) else {
            return;
        };
        if entity.kind != Kind::Player || !entity.is_alive() {
            return;
        }
        // Hit points are small and never negative.
        entity.experience = entity.experience.saturating_add(strength as u32);
        let before = entity.level;
        let to_rise = |level: u32| level.saturating_mul(FIRST_LEVEL);
        while entity.experience >= to_rise(entity.level) {
            entity.experience -= to_rise(entity.level);
            entity.level += 1;
            entity.max_health += 10.0;
            entity.damage += 1.0;
        }
        let level = entity.level;
        if level > before {
            entity.health = entity.max_health;
            self.tell(killer, PlayerAgent::level_reached(level));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Blueprint, Point};

    #[test]
    fn a_player_rises_by_its_kills_and_a_monster_does_not() {
        let mut world = World::new();
        let hero = world.spawn(Blueprint::player("hero", Point::new(5.0, 5.0)));
        let kill = |world: &mut World, killer| {
            let ogre = Blueprint::monster("ogre", Point::new(6.0, 5.0)).health(60.0);
            let ogre = world.spawn(ogre);
            world.hurt(ogre, killer, 99.0);
        };
        kill(&mut world, hero);
        assert_eq!(world.entity(hero).unwrap().level, 1);
        kill(&mut world, hero);
        let risen = world.entity(hero).unwrap();
        assert_eq!((risen.level, risen.experience, risen.health), (2, 20, 60.0));
        let told = (hero, PlayerAgent::level_reached(2));
        assert!(world.take_events().contains(&told));
        let wolf = world.spawn(Blueprint::monster("wolf", Point::new(5.0, 6.0)));
        (0..3).for_each(|_| kill(&mut world, wolf));
        assert_eq!(world.entity(wolf).unwrap().level, 1);
    }
}

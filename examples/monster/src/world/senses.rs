//! The senses of entities: seeing, hearing and finding.

use super::{Entity, Kind, Point, World};
use crate::agents::ActorAgent;

/// The distance that words carry, in metres.
const EARSHOT: f64 = 15.0;

impl World {
    /// Returns true if one entity sees another: no obstacle between them, whatever the distance.
    pub fn sees(&self, observer: u64, target: u64) -> bool {
        match (self.entity(observer), self.entity(target)) {
            (Ok(a), Ok(b)) => {
                a.has_body() && b.has_body() && self.is_in_sight(a.position, b.position)
            }
            _ => false,
        }
    }

    /// Returns true if nothing stands between two points.
    pub fn is_in_sight(&self, from: Point, to: Point) -> bool {
        self.ground.is_clear(from, to, 0.0)
    }

    /// Metres between two entities; none if one of them is not there.
    pub fn distance(&self, a: u64, b: u64) -> Option<f64> {
        let (a, b) = (self.entity(a).ok()?, self.entity(b).ok()?);
        Some(a.position.distance(b.position))
    }

    /// The other entities within so many metres, nearest first (of equally near ones the older),
    /// the dead left out.
    pub fn around(&self, center: u64, radius: f64) -> Vec<&Entity> {
        let Ok(center) = self.entity(center) else {
            return Vec::new();
        };
        let distance = |other: &Entity| center.position.distance(other.position);
        let is_there = |other: &&Entity| {
            let gone = other.kind.is_mortal() && !other.is_alive();
            other.id != center.id && other.has_body() && !gone && distance(other) <= radius
        };
        let mut found: Vec<&Entity> = self.entities().filter(is_there).collect();
        found.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        found
    }

    /// The nearest enemy that an entity sees within so many metres.
    pub fn nearest_enemy(&self, observer: u64, radius: f64) -> Option<&Entity> {
        let me = self.entity(observer).ok()?;
        let distance = |other: &Entity| me.position.distance(other.position);
        // Before they are sorted: in a crowd hardly anybody is an enemy in reach.
        let is_enemy = |other: &&Entity| {
            me.kind.is_hostile_to(other.kind) && other.is_alive() && distance(other) <= radius
        };
        let mut enemies: Vec<&Entity> = self.entities().filter(is_enemy).collect();
        enemies.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        let mut enemies = enemies.into_iter();
        enemies.find(|enemy| self.is_in_sight(me.position, enemy.position))
    }

    /// The oldest entity of that name.
    pub fn named(&self, name: &str) -> Option<&Entity> {
        self.entities().find(|entity| entity.name == name)
    }

    /// Says something to everybody in earshot.
    pub fn say(&mut self, speaker: u64, words: &str) {
        let listens = |entity: &&Entity| entity.kind != Kind::Loot;
        let around = self.around(speaker, EARSHOT).into_iter().filter(listens);
        let listeners: Vec<u64> = around.map(|entity| entity.id).collect();
        for listener in listeners {
            self.tell(listener, ActorAgent::heard(speaker, words));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Blueprint, Obstacle};

    #[test]
    fn walls_end_sight_and_not_hearing() {
        let mut world = World::new();
        let wolf = world.spawn(Blueprint::monster("wolf", Point::new(10.0, 10.0)));
        let hero = world.spawn(Blueprint::player("hero", Point::new(20.0, 10.0)));
        let far = world.spawn(Blueprint::player("far", Point::new(40.0, 10.0)));
        assert!(world.sees(wolf, hero));
        assert_eq!(world.nearest_enemy(wolf, 50.0).unwrap().id, hero);
        world.add_obstacle(Obstacle::Circle {
            center: Point::new(15.0, 10.0),
            radius: 1.0,
        });
        assert!(!world.sees(wolf, hero) && !world.sees(wolf, far));
        assert!(world.nearest_enemy(wolf, 50.0).is_none());
        world.say(wolf, "grrr");
        assert_eq!(
            world.take_events(),
            [(hero, ActorAgent::heard(wolf, "grrr"))]
        );
    }

    #[test]
    fn the_nearest_come_first_and_equals_in_the_order_of_their_ids() {
        let mut world = World::new();
        let middle = world.spawn(Blueprint::loot(1, Point::new(10.0, 10.0)));
        let east = world.spawn(Blueprint::loot(1, Point::new(13.0, 10.0)));
        let west = world.spawn(Blueprint::loot(1, Point::new(7.0, 10.0)));
        let near = world.spawn(Blueprint::loot(1, Point::new(11.0, 10.0)));
        world.spawn(Blueprint::account("nobody"));
        let ids =
            |radius| -> Vec<u64> { world.around(middle, radius).iter().map(|e| e.id).collect() };
        assert_eq!(ids(9.0), [near, east, west]);
        assert_eq!(ids(2.0), [near]);
    }
}

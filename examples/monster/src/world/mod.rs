//! The world: a plane with obstacles and entities, moved on by [`World::step`].
//!
//! It has no clock of its own and no randomness, and everything in it is kept in the order of its
//! ids: the same calls in the same order give the same world.

mod accounts;
pub mod combat;
pub mod entity;
mod error;
mod flight;
pub mod geometry;
mod levels;
mod movement;
pub mod path;
pub mod quests;
mod senses;
pub mod server;
mod told;
mod walking;
mod walks;

use std::collections::BTreeMap;
use std::time::Duration;

use bt_core::Event;
use serde::{Deserialize, Serialize};

pub use combat::MissReason;
pub use entity::{Blueprint, Entity, Kind, Stance};
pub use error::WorldError;
pub use geometry::{Obstacle, Point};
pub use path::Ground;
pub use quests::{Quest, QuestLog};
pub use server::{PlayerClass, Request, Server};
pub use walks::Walks;

use crate::agents::ActorAgent;

/// The game world, and the pretend server that players log in to.
#[derive(Debug, Serialize, Deserialize)]
pub struct World {
    now: Duration,
    ground: Ground,
    entities: BTreeMap<u64, Entity>,
    last_id: u64,
    /// The times of each entity's alarms, by entity and name.
    #[serde(with = "alarms")]
    alarms: BTreeMap<(u64, String), Duration>,
    quests: BTreeMap<String, Quest>,
    server: Server,
    #[serde(with = "told")]
    events: Vec<(u64, Event)>,
    walks: Walks,
}

impl World {
    /// An empty world, 64 by 64 metres.
    pub fn new() -> World {
        World::with_size(64.0, 64.0)
    }

    /// An empty world of so many metres from west to east and from south to north.
    pub fn with_size(width: f64, height: f64) -> World {
        World {
            now: Duration::ZERO,
            ground: Ground {
                size: Point::new(width, height),
                obstacles: Vec::new(),
            },
            entities: BTreeMap::new(),
            last_id: 0,
            alarms: BTreeMap::new(),
            quests: BTreeMap::new(),
            server: Server::new(),
            events: Vec::new(),
            walks: Walks::default(),
        }
    }

    /// Lets so much time pass. Steps of a tenth of a second or less look smooth.
    pub fn step(&mut self, dt: Duration) {
        self.now += dt;
        self.step_movement(dt.as_secs_f64());
        self.step_combat(dt.as_secs_f64());
        self.step_alarms();
        self.step_accounts();
    }

    /// The time that has passed since the world began.
    pub fn now(&self) -> Duration {
        self.now
    }

    /// Takes out what happened since the last time this was asked, in order, each with the entity
    /// that it happened to: fire it at that entity's runner.
    pub fn take_events(&mut self) -> Vec<(u64, Event)> {
        std::mem::take(&mut self.events)
    }

    /// Takes out the first thing that happened to an entity and that it was not told yet.
    ///
    /// Who is told one thing at a time, and acts on it before the next, never hears how something
    /// ended that it has begun anew since: what begins anew takes back what is not told yet.
    pub fn take_event_of(&mut self, entity: u64) -> Option<Event> {
        let first = self.events.iter().position(|(id, _)| *id == entity)?;
        Some(self.events.remove(first).1)
    }

    /// Lets an entity know something.
    ///
    /// The events' constructors are the agents', so that the compiler knows their parameters.
    pub fn tell(&mut self, entity: u64, event: Event) {
        self.events.push((entity, event));
    }

    /// Forgets what an entity has not been told yet, by the names of the events.
    ///
    /// Whoever begins something anew must not hear how the last attempt ended.
    pub(crate) fn untell(&mut self, entity: u64, names: &[&str]) {
        self.events
            .retain(|(id, event)| *id != entity || !names.contains(&event.name()));
    }

    /// Puts an entity into the world, and returns its id.
    pub fn spawn(&mut self, blueprint: Blueprint) -> u64 {
        self.last_id += 1;
        let id = self.last_id;
        self.entities.insert(id, Entity { id, ..blueprint.0 });
        id
    }

    /// The id that was given last: whoever comes has a higher one. 0 if none was.
    pub fn last_id(&self) -> u64 {
        self.last_id
    }

    /// Takes an entity out of the world, with its alarms and its requests to the server.
    pub fn despawn(&mut self, id: u64) -> Option<Entity> {
        self.stop(id);
        let entity = self.entities.remove(&id)?;
        self.alarms.retain(|(owner, _), _| *owner != id);
        self.server.withdraw(id);
        self.lose_target(id);
        Some(entity)
    }

    /// The entity of that id.
    ///
    /// # Errors
    /// [`WorldError::Unknown`] if it is not, or no longer, there.
    pub fn entity(&self, id: u64) -> Result<&Entity, WorldError> {
        self.entities.get(&id).ok_or(WorldError::Unknown(id))
    }

    /// The entity of that id, to change.
    ///
    /// # Errors
    /// [`WorldError::Unknown`] if it is not, or no longer, there.
    pub fn entity_mut(&mut self, id: u64) -> Result<&mut Entity, WorldError> {
        self.entities.get_mut(&id).ok_or(WorldError::Unknown(id))
    }

    /// The entity of that id, if it is alive.
    ///
    /// # Errors
    /// [`WorldError::Unknown`] or [`WorldError::Dead`].
    pub fn living(&self, id: u64) -> Result<&Entity, WorldError> {
        let entity = self.entity(id)?;
        if entity.is_alive() {
            Ok(entity)
        } else {
            Err(WorldError::Dead(id))
        }
    }

    /// Every entity, in the order of the ids.
    pub fn entities(&self) -> impl Iterator<Item = &Entity> {
        self.entities.values()
    }

    /// The same, by the ids that they were saved under.
    pub(crate) fn keyed_entities(&self) -> impl Iterator<Item = (u64, &Entity)> {
        self.entities.iter().map(|(key, entity)| (*key, entity))
    }

    /// The ground that is walked on.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// Builds an obstacle. Who is on the way looks for another one, and is told if there is none.
    pub fn add_obstacle(&mut self, obstacle: Obstacle) {
        self.ground.obstacles.push(obstacle);
        self.find_new_ways();
    }

    /// The pretend server that accounts talk to.
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// The pretend server, to talk to.
    pub fn server_mut(&mut self) -> &mut Server {
        &mut self.server
    }

    /// Lets an alarm ring after a while; one of that name that has not rung is set anew.
    pub fn set_alarm(&mut self, entity: u64, name: &str, after: Duration) {
        self.alarms
            .insert((entity, name.to_owned()), self.now + after);
    }

    /// Takes back an alarm; whether it was set.
    pub fn cancel_alarm(&mut self, entity: u64, name: &str) -> bool {
        self.alarms.remove(&(entity, name.to_owned())).is_some()
    }

    /// Takes back all alarms of an entity, for when its tree is stopped; how many there were.
    pub fn cancel_alarms(&mut self, entity: u64) -> usize {
        let before = self.alarms.len();
        self.alarms.retain(|(owner, _), _| *owner != entity);
        before - self.alarms.len()
    }

    /// Returns true if an alarm is set and has not rung.
    pub fn is_alarm_set(&self, entity: u64, name: &str) -> bool {
        self.alarms.contains_key(&(entity, name.to_owned()))
    }

    fn step_alarms(&mut self) {
        let now = self.now;
        let rung = self.alarms.extract_if(.., |_, at| *at <= now);
        let mut rung: Vec<_> = rung.map(|(key, at)| (at, key)).collect();
        rung.sort();
        for (_, (entity, name)) in rung {
            self.tell(entity, ActorAgent::alarm_rang(&name));
        }
    }
}

impl Default for World {
    fn default() -> World {
        World::new()
    }
}

/// Alarms as a list: the keys of a JSON object are texts.
mod alarms {
    use super::{BTreeMap, Deserialize, Duration};
    use serde::{Deserializer, Serializer};

    type Alarms = BTreeMap<(u64, String), Duration>;

    pub(super) fn serialize<S: Serializer>(alarms: &Alarms, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(alarms)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Alarms, D::Error> {
        Ok(Vec::deserialize(from)?.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_never_given_twice() {
        let mut world = World::new();
        let first = world.spawn(Blueprint::monster("wolf", Point::default()));
        world.despawn(first);
        let second = world.spawn(Blueprint::monster("wolf", Point::default()));
        assert_ne!(first, second);
        assert_eq!(world.entity(first).unwrap_err(), WorldError::Unknown(first));
    }

    #[test]
    fn alarms_ring_once_and_in_the_order_of_their_times() {
        let mut world = World::new();
        let wolf = world.spawn(Blueprint::monster("wolf", Point::default()));
        world.set_alarm(wolf, "a", Duration::from_secs(3));
        world.set_alarm(wolf, "b", Duration::from_secs(2));
        world.set_alarm(wolf, "c", Duration::from_secs(1));
        assert!(world.cancel_alarm(wolf, "c"));
        world.step(Duration::from_secs(5));
        world.step(Duration::from_secs(5));
        let rung = world.take_events();
        let expect = ["b", "a"].map(|name| (wolf, ActorAgent::alarm_rang(name)));
        assert_eq!(rung, expect);
    }
}

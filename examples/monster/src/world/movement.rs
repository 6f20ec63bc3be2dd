//! Courses: to a point, along a route, after another entity.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::geometry::Point;
use super::{World, WorldError};
use crate::agents::ActorAgent;

/// The events that end a course, for the walker.
const ENDS: [&str; 3] = ["arrived", "path_blocked", "target_lost"];

/// An entity's way, while it is on it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Course {
    pub(super) goal: Goal,
    /// The corners still to come; the last is where the goal was when the way was found.
    pub(super) corners: VecDeque<Point>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Goal {
    /// The points still to come.
    Route(VecDeque<Point>),
    /// Another entity, until it is so close.
    Entity { id: u64, range: f64 },
}

impl World {
    /// Sends an entity to a point. It is told `arrived`, or `path_blocked`.
    ///
    /// # Errors
    /// [`WorldError`] if it is dead or cannot move, or no way leads there.
    pub fn walk_to(&mut self, id: u64, goal: Point) -> Result<(), WorldError> {
        self.walk_route(id, &[goal])
    }

    /// Sends an entity along a route. It is told `arrived` at the end, or `path_blocked`.
    ///
    /// # Errors
    /// [`WorldError`] if it is dead or cannot move, or no way leads to the first point.
    pub fn walk_route(&mut self, id: u64, route: &[Point]) -> Result<(), WorldError> {
        self.set_course(id, Goal::Route(route.iter().copied().collect()))
    }

    /// Sends an entity after another until it is `range` metres close. It is told `arrived`, or
    /// `path_blocked`, or `target_lost` when the other dies or vanishes.
    ///
    /// # Errors
    /// [`WorldError`] if it is dead or cannot move, the other is not there, or no way leads to it.
    pub fn follow(&mut self, id: u64, target: u64, range: f64) -> Result<(), WorldError> {
        self.entity(target)?;
        self.set_course(id, Goal::Entity { id: target, range })
    }

    /// Makes an entity stand still; whether it was on its way. It is not told how its way ended.
    pub fn stop(&mut self, id: u64) -> bool {
        self.untell(id, &ENDS);
        let course = self.entity_mut(id).ok().and_then(|e| e.course.take());
        self.walks.stopped += u64::from(course.is_some());
        course.is_some()
    }

    fn set_course(&mut self, id: u64, goal: Goal) -> Result<(), WorldError> {
        self.stop(id);
        let corners = self.corners(id, &goal)?;
        let entity = self.entity_mut(id)?;
        entity.resting = false;
        entity.course = Some(Course { goal, corners });
        self.walks.started += 1;
        Ok(())
    }

    /// The way from where an entity stands to its goal, or to the next point of its route.
    fn corners(&self, id: u64, goal: &Goal) -> Result<VecDeque<Point>, WorldError> {
        let entity = self.living(id)?;
        if entity.speed <= 0.0 {
            return Err(WorldError::Rooted(id));
        }
        let to = match goal {
            Goal::Route(points) => points.front().copied(),
            Goal::Entity { id, .. } => Some(self.entity(*id)?.position),
        };
        let Some(to) = to else {
            return Ok(VecDeque::new());
        };
        let path = self.ground.path(entity.position, to);
        Ok(path.ok_or(WorldError::NoPath)?.into())
    }

    /// Looks for new ways for all who are on one.
    pub(super) fn find_new_ways(&mut self) {
        let walkers: Vec<u64> = self.walkers();
        for id in walkers {
            self.find_new_way(id);
        }
    }

    pub(super) fn walkers(&self) -> Vec<u64> {
        let walkers = self.entities().filter(|entity| entity.is_moving());
        walkers.map(|entity| entity.id).collect()
    }

    pub(super) fn find_new_way(&mut self, id: u64) {
        let Some(course) = self.entities.get(&id).and_then(|e| e.course.as_ref()) else {
            return;
        };
        let corners = self.corners(id, &course.goal);
        let Some(entity) = self.entities.get_mut(&id) else {
            return;
        };
        match (corners, &mut entity.course) {
            (Ok(corners), Some(course)) => course.corners = corners,
            _ => {
                entity.course = None;
                let at = entity.position;
                self.walks.blocked += 1;
                self.tell(id, ActorAgent::path_blocked(at));
            }
        }
    }

    /// Ends the courses after an entity that died or vanished.
    pub(super) fn lose_target(&mut self, target: u64) {
        let mut losers = Vec::new();
        for entity in self.entities.values_mut() {
            let follows = entity.course.as_ref().is_some_and(
                |course| matches!(course.goal, Goal::Entity { id, .. } if id == target),
            );
            if follows {
                entity.course = None;
                losers.push(entity.id);
            }
        }
        self.walks.lost += losers.len() as u64;
        for loser in losers {
            self.tell(loser, ActorAgent::target_lost(target));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Blueprint, Obstacle, Stance};
    use std::time::Duration;

    const TICK: Duration = Duration::from_millis(100);

    /// Steps until something happens to somebody: what, and after how many steps.
    fn run(world: &mut World) -> (Vec<String>, u32) {
        for steps in 1..1000 {
            world.step(TICK);
            let events = world.take_events();
            if !events.is_empty() {
                let name = |(id, event): (u64, bt_core::Event)| format!("{id} {}", event.name());
                return (events.into_iter().map(name).collect(), steps);
            }
        }
        panic!("nothing happens");
    }

    fn wolf(world: &mut World, x: f64, y: f64) -> u64 {
        world.spawn(Blueprint::monster("wolf", Point::new(x, y)))
    }

    #[test]
    fn a_walker_arrives_at_its_speed_and_pace() {
        let mut world = World::new();
        let wolf = wolf(&mut world, 1.0, 1.0);
        world.walk_to(wolf, Point::new(9.0, 1.0)).unwrap();
        assert_eq!(run(&mut world), (vec!["1 arrived".to_owned()], 20));
        world.entity_mut(wolf).unwrap().stance = Stance::Calm;
        world
            .walk_route(wolf, &[Point::new(9.0, 3.0), Point::new(7.0, 3.0)])
            .unwrap();
        assert_eq!(run(&mut world), (vec!["1 arrived".to_owned()], 20));
        assert_eq!(world.entity(wolf).unwrap().position, Point::new(7.0, 3.0));
    }

    #[test]
    fn walker_goes_around_a_wall_that_was_built_in_its_way() {
        let mut world = World::new();
        let id = wolf(&mut world, 10.0, 10.0);
        world.walk_to(id, Point::new(20.0, 10.0)).unwrap();
        world.step(TICK);
        let wall = Obstacle::Rect {
            min: Point::new(14.0, 5.0),
            max: Point::new(15.0, 15.0),
        };
        world.add_obstacle(wall);
        while world.entity(id).unwrap().is_moving() {
            world.step(TICK);
            assert!(!wall.covers(world.entity(id).unwrap().position, 0.3));
        }
        assert_eq!(
            world.take_events(),
            [(id, ActorAgent::arrived(Point::new(20.0, 10.0)))]
        );
    }

    #[test]
    fn walker_behind_a_new_wall_gets_an_event_that_it_is_blocked() {
        let mut world = World::new();
        let id = wolf(&mut world, 10.0, 10.0);
        world.walk_to(id, Point::new(60.0, 10.0)).unwrap();
        world.add_obstacle(Obstacle::Rect {
            min: Point::new(30.0, 0.0),
            max: Point::new(31.0, 64.0),
        });
        assert_eq!(run(&mut world).0, ["1 path_blocked"]);
        assert!(!world.entity(id).unwrap().is_moving());
        let there = Point::new(60.0, 10.0);
        assert_eq!(world.walk_to(id, there), Err(WorldError::NoPath));
    }

    #[test]
    fn a_follower_comes_as_close_as_asked_to_one_that_runs() {
        let mut world = World::new();
        let hunter = wolf(&mut world, 10.0, 10.0);
        let prey = wolf(&mut world, 20.0, 10.0);
        world.entity_mut(prey).unwrap().speed = 2.0;
        world.walk_to(prey, Point::new(20.0, 40.0)).unwrap();
        world.follow(hunter, prey, 2.0).unwrap();
        assert_eq!(run(&mut world).0, ["1 arrived"]);
        let distance = world.distance(hunter, prey).unwrap();
        // The prey's own step comes after the hunter's.
        assert!((1.9..=2.2).contains(&distance), "{distance}");
    }

    #[test]
    fn follower_at_the_end_of_an_outdated_path_continues() {
        let mut world = World::new();
        let hunter = wolf(&mut world, 10.0, 10.0);
        let prey = wolf(&mut world, 16.0, 10.0);
        world.add_obstacle(Obstacle::Circle {
            center: Point::new(13.0, 10.0),
            radius: 1.0,
        });
        world.entity_mut(hunter).unwrap().speed = 200.0;
        world.follow(hunter, prey, 0.0).unwrap();
        // Not far enough to look for another way.
        world.entity_mut(prey).unwrap().position.x += 0.4;
        world.step(TICK);
        assert!(world.entity(hunter).unwrap().is_moving());
        assert_eq!(run(&mut world), (vec!["1 arrived".to_owned()], 1));
        assert_eq!(world.distance(hunter, prey), Some(0.0));
    }

    #[test]
    fn follower_gets_an_event_when_its_target_vanishes() {
        let mut world = World::new();
        let hunter = wolf(&mut world, 10.0, 10.0);
        let prey = wolf(&mut world, 20.0, 10.0);
        world.follow(hunter, prey, 2.0).unwrap();
        world.despawn(prey);
        assert_eq!(
            world.take_events(),
            [(hunter, ActorAgent::target_lost(prey))]
        );
        assert!(!world.entity(hunter).unwrap().is_moving());
    }

    #[test]
    fn stopped_walker_gets_no_event_about_its_arrival() {
        let mut world = World::new();
        let id = wolf(&mut world, 1.0, 1.0);
        world.walk_to(id, Point::new(1.2, 1.0)).unwrap();
        world.step(TICK);
        assert!(!world.stop(id), "it has arrived, and does not know yet");
        assert_eq!(world.take_events(), []);
    }
}

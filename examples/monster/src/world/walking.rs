//! Walking: what each step does to who is on a course.

use super::World;
use super::movement::{Course, Goal};
use crate::agents::ActorAgent;

/// The distance that a followed entity may stray before the way to it is searched again, in metres.
const STRAY: f64 = 0.5;

/// The distance that counts as none, in metres.
const ROUNDING: f64 = 1e-6;

impl World {
    pub(super) fn step_movement(&mut self, seconds: f64) {
        for id in self.walkers() {
            self.keep_up(id);
            if !self.is_close_enough(id) {
                self.walk(id, seconds);
            }
            // Here and not when all have moved: prey that runs would never be reached.
            if self.is_close_enough(id) || self.is_at_end_of_route(id) {
                self.arrive(id);
            }
        }
    }

    /// Finds the way anew for who follows an entity that has moved on.
    fn keep_up(&mut self, id: u64) {
        let Some((target, _)) = self.followed(id) else {
            return;
        };
        let (Some(course), Ok(target)) = (self.course(id), self.entity(target)) else {
            return;
        };
        // The straight way costs nothing to find, one around obstacles does.
        let stray = if course.corners.len() > 1 { STRAY } else { 0.0 };
        let last = course.corners.back();
        if last.is_none_or(|last| last.distance(target.position) > stray) {
            self.find_new_way(id);
        }
    }

    /// Walks along the corners, and turns to the next leg of a route.
    fn walk(&mut self, id: u64, seconds: f64) {
        let gap = self.gap(id);
        let Some(entity) = self.entities.get_mut(&id) else {
            return;
        };
        let Some(course) = &mut entity.course else {
            return;
        };
        let mut metres = entity.speed * entity.stance.pace() * seconds + ROUNDING;
        if let Some(gap) = gap
            && course.corners.len() == 1
        {
            // No step goes closer than asked for.
            metres = metres.min(gap.max(0.0));
        }
        while let Some(corner) = course.corners.front().copied() {
            entity.facing = corner;
            let next = entity.position.towards(corner, metres);
            let stride = entity.position.distance(next);
            metres -= stride;
            entity.walked += stride;
            entity.position = next;
            if next != corner {
                break;
            }
            course.corners.pop_front();
        }
        if course.corners.is_empty()
            && let Goal::Route(points) = &mut course.goal
        {
            points.pop_front();
            if !points.is_empty() {
                self.find_new_way(id);
            }
        }
    }

    fn course(&self, id: u64) -> Option<&Course> {
        self.entities.get(&id)?.course.as_ref()
    }

    fn arrive(&mut self, id: u64) {
        let facing = self
            .followed(id)
            .and_then(|(target, _)| self.entity(target).ok());
        let facing = facing.map(|target| target.position);
        let Ok(entity) = self.entity_mut(id) else {
            return;
        };
        entity.course = None;
        entity.facing = facing.unwrap_or(entity.facing);
        let at = entity.position;
        self.walks.arrived += 1;
        self.tell(id, ActorAgent::arrived(at));
    }

    /// The entity that this one follows, and how close it is to come.
    fn followed(&self, id: u64) -> Option<(u64, f64)> {
        match self.course(id)?.goal {
            Goal::Entity { id, range } => Some((id, range)),
            Goal::Route(_) => None,
        }
    }

    /// The distance by which a follower is still too far, in metres, as the crow flies.
    fn gap(&self, id: u64) -> Option<f64> {
        let (target, range) = self.followed(id)?;
        Some(self.distance(id, target)? - range)
    }

    fn is_close_enough(&self, id: u64) -> bool {
        let near = self.gap(id).is_some_and(|gap| gap <= ROUNDING);
        near && self
            .followed(id)
            .is_some_and(|(target, _)| self.sees(id, target))
    }

    fn is_at_end_of_route(&self, id: u64) -> bool {
        let course = self.entities.get(&id).and_then(|e| e.course.as_ref());
        course
            .is_some_and(|course| matches!(&course.goal, Goal::Route(points) if points.is_empty()))
    }
}

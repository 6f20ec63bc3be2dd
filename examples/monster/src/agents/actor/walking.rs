//! Walking: the world finds the way and says when it ends.
//!
//! Each of these starts a walk, asks to be finished by the event that ends it, and returns `None`.
//! Whatever else takes over, the exit method calls the walk off. None of them has a resume method: the
//! walk is saved with the world, and what is waited for with the tree.

use bt_core::prelude::*;

use super::ActorAgent;
use crate::{Point, World, WorldError};

/// Lets what the world says of the walk finish the call.
pub(crate) fn until_walked(cx: &mut Context) -> Option<bool> {
    cx.finish_on("arrived", true);
    cx.finish_on("path_blocked", false);
    cx.finish_on("target_lost", false);
    None
}

#[agent]
impl ActorAgent {
    /// Walk to a point, around what is in the way.
    ///
    /// # Returns
    /// `true` on arrival, `false` if no way leads there or it is blocked later.
    #[action(category = "movement", display = "移动到", exit = "leave_walk")]
    pub fn move_to(
        &mut self,
        #[world] world: &mut World,
        cx: &mut Context,
        /// The point to go to.
        goal: Point,
    ) -> Result<Option<bool>, WorldError> {
        world.walk_to(self.entity, goal)?;
        Ok(until_walked(cx))
    }

    /// Clean-up of every walk: one that was interrupted is called off.
    pub fn leave_walk(&mut self, #[world] world: &mut World, _cx: &mut Context, exit: Exit) {
        if exit == Exit::Aborted {
            world.stop(self.entity);
        }
    }

    /// Walk to coordinates.
    ///
    /// # Returns
    /// As `move_to` does.
    #[deprecated(since = "0.1.0", note = "use `move_to`, which takes a point")]
    #[action(category = "movement", exit = "leave_walk")]
    pub fn go_to(
        &mut self,
        #[world] world: &mut World,
        cx: &mut Context,
        /// Metres east of the map's corner.
        #[arg(unit = "m")]
        x: f64,
        /// Metres north of the map's corner.
        #[arg(unit = "m")]
        y: f64,
    ) -> Result<Option<bool>, WorldError> {
        self.move_to(world, cx, Point::new(x, y))
    }

    /// Walk from point to point.
    ///
    /// # Returns
    /// `true` at the last point, `false` as soon as no way leads on.
    #[action(category = "movement", exit = "leave_walk")]
    pub fn follow_route(
        &mut self,
        #[world] world: &mut World,
        cx: &mut Context,
        /// The points in order.
        route: &[Point],
    ) -> Result<Option<bool>, WorldError> {
        world.walk_route(self.entity, route)?;
        Ok(until_walked(cx))
    }

    /// Walk up to another entity, also while it moves.
    ///
    /// # Returns
    /// `true` once that close and in sight, `false` if it is gone or out of anybody's way.
    #[action(category = "movement", exit = "leave_walk", alias = ["move_to_entity"])]
    pub fn approach(
        &mut self,
        #[world] world: &mut World,
        cx: &mut Context,
        /// Online id of the entity to walk to.
        target: u64,
        /// Stop this close.
        #[arg(default = 1.5, min = 0.0, max = 30.0, step = 0.5, unit = "m")]
        range: f64,
    ) -> Result<Option<bool>, WorldError> {
        world.follow(self.entity, target, range)?;
        Ok(until_walked(cx))
    }

    /// Stand still at once.
    ///
    /// # Returns
    /// Always `true`.
    #[action(category = "movement", display = "停止移动")]
    pub fn stop_moving(&mut self, #[world] world: &mut World) {
        world.stop(self.entity);
    }

    /// Turn to look at a point.
    ///
    /// # Returns
    /// `true`; `false` once the entity is gone.
    #[action(category = "movement")]
    pub fn face(
        &mut self,
        #[world] world: &mut World,
        /// The point to look at.
        point: Point,
    ) -> Result<(), WorldError> {
        world.entity_mut(self.entity)?.facing = point;
        Ok(())
    }

    /// Is the entity on its way somewhere?
    ///
    /// # Returns
    /// `true` while it walks.
    #[condition(category = "movement")]
    pub fn is_moving(&self, #[world] world: &World) -> bool {
        world
            .entity(self.entity)
            .is_ok_and(|entity| entity.is_moving())
    }

    /// Take the next point of a round trip.
    ///
    /// # Returns
    /// `true`; `false`, with the reason, if the route is empty.
    #[action(category = "movement")]
    pub fn next_waypoint(
        /// The points of the round trip.
        route: &[Point],
        /// The number of points that were taken so far; counted on.
        taken: &mut usize,
        /// The point to go to next.
        #[arg(out)]
        point: &mut Point,
    ) -> Result<(), WorldError> {
        let next = route.iter().cycle().nth(*taken % route.len().max(1));
        *point = *next.ok_or(WorldError::Missing("point on the route"))?;
        *taken = taken.wrapping_add(1);
        Ok(())
    }
}

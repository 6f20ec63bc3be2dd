//! Searching: entities, and the ids that stand for them on the blackboard.

use bt_core::prelude::*;

use super::ActorAgent;
use crate::{Kind, Point, World, WorldError};

/// The number of times that `random_point` tries before it gives up.
const TRIES: u32 = 16;

#[agent]
impl ActorAgent {
    /// Find the nearest other entity.
    ///
    /// # Returns
    /// `true` if there is one.
    #[action(category = "search", display = "寻找最近实体")]
    pub fn find_nearest(
        &self,
        #[world] world: &World,
        /// The sort of thing to look for; omitted, anything.
        kind: Option<Kind>,
        /// The distance to search.
        #[arg(default = ActorAgent::SIGHT, min = 0.0, unit = "m")]
        radius: f64,
        /// Online id of the one that was found.
        #[arg(out)]
        found: &mut u64,
    ) -> bool {
        let mut around = world.around(self.entity, radius).into_iter();
        let nearest = around.find(|other| kind.is_none_or(|kind| other.kind == kind));
        nearest.map(|nearest| *found = nearest.id).is_some()
    }

    /// Look out for enemies.
    ///
    /// Meant as a service, which keeps the key up to date; guards watch the key.
    ///
    /// # Returns
    /// `true` if one is in sight.
    #[action(category = "search", display = "警戒")]
    pub fn look_out(
        &self,
        #[world] world: &World,
        /// The distance to search.
        #[arg(default = ActorAgent::SIGHT, min = 0.0, max = 100.0, unit = "m")]
        radius: f64,
        /// Online id of the nearest enemy in sight; 0 for nobody.
        #[arg(out)]
        enemy: &mut u64,
    ) -> bool {
        let nearest = world.nearest_enemy(self.entity, radius);
        *enemy = nearest.map_or(0, |nearest| nearest.id);
        nearest.is_some()
    }

    /// Find all other entities around.
    ///
    /// # Returns
    /// `true` if there are any.
    #[action(category = "search")]
    pub fn find_all(
        &self,
        #[world] world: &World,
        /// The sort of things to look for; omitted, anything.
        kind: Option<Kind>,
        /// The distance to search.
        #[arg(default = ActorAgent::SIGHT, min = 0.0, unit = "m")]
        radius: f64,
        /// Online ids of those that were found, nearest first.
        #[arg(out)]
        found: &mut Vec<u64>,
    ) -> bool {
        let around = world.around(self.entity, radius).into_iter();
        let wanted = around.filter(|other| kind.is_none_or(|kind| other.kind == kind));
        *found = wanted.map(|other| other.id).collect();
        !found.is_empty()
    }

    /// Look up an entity by its name.
    ///
    /// # Returns
    /// `true` if there is one; of several, the oldest is taken.
    #[action(category = "search", display = "按名字查找")]
    pub fn find_named(
        #[world] world: &World,
        /// The name for people.
        name: &str,
        /// Its online id.
        #[arg(out)]
        found: &mut u64,
    ) -> bool {
        world.named(name).map(|entity| *found = entity.id).is_some()
    }

    /// Look up where an entity stands.
    ///
    /// # Returns
    /// `true`; `false` if there is no such entity.
    #[action(category = "search")]
    pub fn locate(
        #[world] world: &World,
        /// Online id of the entity.
        target: u64,
        /// The point at which it stands.
        #[arg(out)]
        point: &mut Point,
    ) -> Result<(), WorldError> {
        *point = world.entity(target)?.position;
        Ok(())
    }

    /// Measure how far away an entity is.
    ///
    /// # Returns
    /// `true`; `false` if there is no such entity.
    #[action(category = "search")]
    pub fn measure_distance(
        &self,
        #[world] world: &World,
        /// Online id of the entity.
        target: u64,
        /// The distance.
        #[arg(out, unit = "m")]
        metres: &mut f64,
    ) -> bool {
        let distance = world.distance(self.entity, target);
        distance.map(|distance| *metres = distance).is_some()
    }

    /// Pick a random point to which one can walk.
    ///
    /// # Returns
    /// `true`; `false` if chance finds none.
    #[action(category = "search")]
    pub fn random_point(
        &self,
        #[world] world: &World,
        cx: &mut Context,
        /// The middle of the area; left out, where the entity stands.
        center: Option<Point>,
        /// The greatest distance from the middle.
        #[arg(default = 8.0, min = 0.5, unit = "m")]
        radius: f64,
        /// The point.
        #[arg(out)]
        point: &mut Point,
    ) -> Result<bool, WorldError> {
        let here = world.entity(self.entity)?.position;
        let center = center.unwrap_or(here);
        for _ in 0..TRIES {
            // Of points in the square around, those in the circle are spread evenly.
            let x = center.x + cx.random().float(-radius, radius);
            let y = center.y + cx.random().float(-radius, radius);
            let candidate = Point::new(x, y);
            let good = candidate.distance(center) <= radius && world.ground().is_free(candidate);
            if good && world.ground().path(here, candidate).is_some() {
                *point = candidate;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Is the entity in sight?
    ///
    /// # Returns
    /// `true` if it is near enough and nothing stands between.
    #[condition(category = "search", display = "能看见")]
    pub fn can_see(
        &self,
        #[world] world: &World,
        /// Online id of the entity to look for.
        target: u64,
    ) -> bool {
        self.is_near(world, target, Self::SIGHT) && world.sees(self.entity, target)
    }

    /// Is the entity near?
    ///
    /// # Returns
    /// `true` if it is there and not farther away.
    #[condition(category = "search")]
    pub fn is_near(
        &self,
        #[world] world: &World,
        /// Online id of the entity.
        target: u64,
        /// The distance that is still near.
        #[arg(default = 3.0, min = 0.0, unit = "m")]
        range: f64,
    ) -> bool {
        let distance = world.distance(self.entity, target);
        distance.is_some_and(|distance| distance <= range)
    }

    /// Is the entity alive?
    ///
    /// # Returns
    /// `true` if it is there and not dead.
    #[condition(category = "search", display = "是否存活")]
    pub fn is_alive(
        #[world] world: &World,
        /// Online id of the entity.
        target: u64,
    ) -> bool {
        world.living(target).is_ok()
    }
}

//! Patrol, search, chase, flight and the way home.

use bt_core::prelude::*;

use super::MonsterAgent;
use crate::agents::actor::walking::until_walked;
use crate::{ActorAgent, Point, Stance, World, WorldError};

#[agent]
impl MonsterAgent {
    /// Walk rounds along a patrol route.
    ///
    /// Polled: it sends the entity to the next point whenever it stands.
    ///
    /// # Returns
    /// `true` after the last round, `false` if a point cannot be reached.
    #[action(category = "movement", display = "巡逻", exit = "leave_patrol")]
    pub fn patrol(
        &mut self,
        #[world] world: &mut World,
        /// The points of the round.
        route: &[Point],
        /// The number of rounds to walk.
        #[arg(default = 1, min = 1, max = 1000)]
        rounds: u32,
    ) -> Result<Status, WorldError> {
        let me = world.living(self.entity())?;
        let (moving, here) = (me.is_moving(), me.position);
        let Some((mut leg, last)) = self.patrol else {
            world.entity_mut(self.entity())?.stance = Stance::Calm;
            self.patrol = Some((0, self.rounds + rounds));
            return self.next_leg(world, route, 0);
        };
        if moving {
            return Ok(Status::Running);
        }
        if route.get(leg) != Some(&here) {
            return Err(WorldError::NoPath);
        }
        leg += 1;
        if leg == route.len() {
            leg = 0;
            self.rounds += 1;
            if self.rounds == last {
                return Ok(Status::Success);
            }
        }
        self.patrol = Some((leg, last));
        self.next_leg(world, route, leg)
    }

    fn next_leg(
        &mut self,
        world: &mut World,
        route: &[Point],
        leg: usize,
    ) -> Result<Status, WorldError> {
        let Some(point) = route.get(leg) else {
            return Ok(Status::Failure);
        };
        world.walk_to(self.entity(), *point)?;
        Ok(Status::Running)
    }

    /// Clean-up of `patrol`: the next one begins anew.
    pub fn leave_patrol(&mut self, #[world] world: &mut World, _cx: &mut Context, exit: Exit) {
        self.patrol = None;
        if exit == Exit::Aborted {
            world.stop(self.entity());
        }
    }

    /// Look out for enemies that come near its home.
    ///
    /// # Returns
    /// `true` if one is in sight and well inside its territory.
    #[action(override, category = "search", display = "警戒")]
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
        // Well inside: who has just given up at the border does not turn back at once.
        let near = world
            .nearest_enemy(self.entity(), radius)
            .filter(|enemy| enemy.position.distance(self.home) < Self::TERRITORY * 0.8);
        *enemy = near.map_or(0, |near| near.id);
        near.is_some()
    }

    /// Choose the nearest enemy in sight to hunt.
    ///
    /// # Returns
    /// `true` if there is one.
    #[action(category = "combat", display = "搜索目标", alias = ["search_target"])]
    pub fn find_target(
        &mut self,
        #[world] world: &World,
        cx: &mut Context,
        /// The distance to search.
        #[arg(default = ActorAgent::SIGHT, min = 0.0, max = 100.0, unit = "m")]
        radius: f64,
        /// Online id of the one that was chosen.
        #[arg(out)]
        target: &mut u64,
    ) -> bool {
        let Some(enemy) = world.nearest_enemy(self.entity(), radius) else {
            return false;
        };
        *target = enemy.id;
        if self.target.replace(enemy.id) != Some(enemy.id) {
            cx.fire(MonsterAgent::target_found(enemy.id));
        }
        true
    }

    /// Give up the hunt.
    ///
    /// # Returns
    /// `true` if there was one.
    #[action(category = "combat")]
    pub fn forget_target(&mut self) -> bool {
        self.target.take().is_some()
    }

    /// Run after the target until it is close.
    ///
    /// # Returns
    /// `true` once within range and in sight, `false` when the target is gone.
    #[action(category = "movement", display = "追击", exit = "leave_run")]
    pub fn chase(
        &mut self,
        #[world] world: &mut World,
        cx: &mut Context,
        /// Online id of the entity to chase.
        target: u64,
        /// Stop this close.
        #[arg(default = 1.2, min = 0.0, max = 30.0, unit = "m", display = "距离")]
        range: f64,
    ) -> Result<Option<bool>, WorldError> {
        world.living(target)?;
        world.follow(self.entity(), target, range)?;
        world.entity_mut(self.entity())?.stance = Stance::Aggressive;
        self.target = Some(target);
        Ok(until_walked(cx))
    }

    /// Flee from somebody.
    ///
    /// # Returns
    /// `true` once that far away, `false` if cornered.
    #[action(category = "movement", display = "逃跑", exit = "leave_run")]
    pub fn flee(
        &mut self,
        #[world] world: &mut World,
        cx: &mut Context,
        /// Online id of the one to flee from.
        threat: u64,
        /// The distance to run.
        #[arg(default = 12.0, min = 1.0, max = 60.0, unit = "m")]
        distance: f64,
    ) -> Result<Option<bool>, WorldError> {
        world.run_from(self.entity(), threat, distance)?;
        world.entity_mut(self.entity())?.stance = Stance::Fleeing;
        self.target = None;
        Ok(until_walked(cx))
    }

    /// Clean-up of `chase`, `flee` and `go_home`: calm again, and still if interrupted.
    pub fn leave_run(&mut self, #[world] world: &mut World, cx: &mut Context, exit: Exit) {
        if let Ok(entity) = world.entity_mut(self.entity()) {
            entity.stance = Stance::Alert;
        }
        self.actor.leave_walk(world, cx, exit);
    }

    /// Go home.
    ///
    /// # Returns
    /// `true` on arrival, `false` if no way leads there.
    #[action(category = "movement", display = "回家", exit = "leave_run")]
    pub fn go_home(
        &mut self,
        #[world] world: &mut World,
        cx: &mut Context,
    ) -> Result<Option<bool>, WorldError> {
        self.actor.move_to(world, cx, self.home)
    }

    /// Is an enemy in sight?
    ///
    /// # Returns
    /// `true` if at least one is.
    #[condition(category = "combat", display = "发现敌人")]
    pub fn sees_enemy(
        &self,
        #[world] world: &World,
        /// The distance to search.
        #[arg(default = ActorAgent::SIGHT, min = 0.0, unit = "m")]
        radius: f64,
    ) -> bool {
        world.nearest_enemy(self.entity(), radius).is_some()
    }

    /// Is there somebody to hunt?
    ///
    /// # Returns
    /// `true` if it has chosen one that is still alive.
    #[condition(category = "combat", display = "有目标")]
    pub fn has_target(&self, #[world] world: &World) -> bool {
        self.target
            .is_some_and(|target| world.living(target).is_ok())
    }

    /// Has the hunt led too far from home?
    ///
    /// # Returns
    /// `true` outside of the monster's territory.
    #[condition(category = "movement")]
    pub fn is_far_from_home(&self, #[world] world: &World) -> bool {
        self.actor.position(world).distance(self.home) > Self::TERRITORY
    }
}

//! [`MonsterAgent`]: what it has on its mind, and what it remarks.

mod fighting;
mod hunting;

use bt_core::prelude::*;
use serde::{Deserialize, Serialize};

use crate::{ActorAgent, Point, World, WorldError};

/// A monster that patrols its territory, hunts who enters it, and fights.
#[derive(Debug, Clone, Agent, Serialize, Deserialize)]
#[agent(world = World, display = "怪物", meta(icon = "wolf", colour = 0x8b1a1a))]
pub struct MonsterAgent {
    #[agent(base)]
    actor: ActorAgent,
    /// The place where it lives, and to which it returns.
    #[property(category = "movement", display = "巢穴")]
    pub home: Point,
    /// Online id of the one it hunts, if it hunts.
    #[property(read_only, category = "combat", display = "目标")]
    target: Option<u64>,
    /// The share of its health below which it flees; 0 fights to the death.
    #[property(min = 0.0, max = 1.0, category = "combat", display = "逃跑阈值")]
    pub flee_below: f64,
    /// The number of rounds of its patrol that it has done since it was made.
    #[property(read_only, category = "movement")]
    rounds: u32,
    /// The patrol that is under way: the leg, and the round to stop after.
    patrol: Option<(usize, u32)>,
    /// True if it has sat down to rest.
    resting: bool,
}

impl MonsterAgent {
    /// The agent of an entity that lives at `home`.
    pub fn new(entity: u64, home: Point) -> MonsterAgent {
        MonsterAgent {
            actor: ActorAgent::new(entity),
            home,
            target: None,
            flee_below: 0.25,
            rounds: 0,
            patrol: None,
            resting: false,
        }
    }

    /// Online id of the entity that this agent drives.
    pub fn entity(&self) -> u64 {
        self.actor.entity()
    }

    /// Online id of the one it hunts.
    pub fn target(&self) -> Option<u64> {
        self.target
    }
}

#[agent]
impl MonsterAgent {
    /// The distance from its home in which a monster hunts.
    #[property(unit = "m")]
    pub const TERRITORY: f64 = 25.0;

    /// The share of its health that is left.
    #[property(min = 0.0, max = 1.0, category = "combat")]
    pub fn health_share(&self, #[world] world: &World) -> f64 {
        let entity = world.entity(self.entity());
        entity.map_or(0.0, |entity| entity.health_share())
    }

    /// Growl: all that a monster can say.
    ///
    /// # Returns
    /// `true`; `false` for the dead.
    #[action(override, category = "talk", display = "咆哮")]
    pub fn say(
        &mut self,
        #[world] world: &mut World,
        /// The words that it would say if it could; the longer, the longer the growl.
        words: &str,
    ) -> Result<(), WorldError> {
        let growl = format!("G{}!", "r".repeat(words.chars().count().clamp(1, 20)));
        self.actor.say(world, &growl)
    }

    /// Call the pack.
    ///
    /// Each monster around hears of the target as the event `help_called`.
    ///
    /// # Returns
    /// `true` if anybody hears it.
    #[action(category = "talk", display = "呼叫同伴")]
    pub fn call_for_help(
        &mut self,
        #[world] world: &mut World,
        /// Online id of the one to attack.
        target: u64,
        /// The distance that the call carries.
        #[arg(default = 20.0, min = 0.0, max = 100.0, unit = "m")]
        radius: f64,
    ) -> Result<bool, WorldError> {
        let me = self.entity();
        let kind = world.living(me)?.kind;
        let around = world.around(me, radius).into_iter();
        let pack: Vec<u64> = around.filter(|e| e.kind == kind).map(|e| e.id).collect();
        for fellow in &pack {
            world.tell(*fellow, MonsterAgent::help_called(me, target));
        }
        Ok(!pack.is_empty())
    }

    /// One of the pack calls for help.
    #[event(category = "talk", display = "同伴求助")]
    pub fn help_called(
        /// Online id of the one who calls.
        caller: u64,
        /// Online id of the one to attack.
        target: u64,
    );

    /// The monster has chosen somebody to hunt.
    #[event(category = "combat")]
    pub fn target_found(
        /// Online id of the prey.
        target: u64,
    );
}

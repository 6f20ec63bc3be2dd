//! [`PlayerAgent`]: what it plays for, and what it shows to others.

mod battle;
mod quests;

use bt_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ActorAgent, World, WorldError};
pub use quests::QuestChoice;

/// A player that plays by itself: for load tests, and for people who fell asleep.
#[derive(Debug, Clone, Agent, Serialize, Deserialize)]
#[agent(world = World, display = "玩家", meta(icon = "sword"))]
pub struct PlayerAgent {
    #[agent(base)]
    actor: ActorAgent,
    /// The share of its health below which it drinks a potion.
    #[property(min = 0.0, max = 1.0, step = 0.05, alias = ["heal_threshold"], display = "治疗阈值")]
    pub heal_below: f64,
    /// The number of its enemies beaten since it was made.
    #[property(read_only, category = "combat")]
    victories: u32,
}

/// A gesture that a player shows to others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Emote {
    /// A hand in the air.
    #[default]
    Wave,
    /// A deep bow.
    Bow,
    /// Both arms up.
    Cheer,
}

impl PlayerAgent {
    /// The agent of a player's entity.
    pub fn new(entity: u64) -> PlayerAgent {
        PlayerAgent {
            actor: ActorAgent::new(entity),
            heal_below: 0.5,
            victories: 0,
        }
    }

    /// Online id of the entity that this agent drives.
    pub fn entity(&self) -> u64 {
        self.actor.entity()
    }

    /// The number of its enemies beaten.
    pub fn victories(&self) -> u32 {
        self.victories
    }
}

#[agent]
impl PlayerAgent {
    /// Coins in its purse.
    #[property(unit = "coins", category = "quest", display = "金币")]
    pub fn gold(&self, #[world] world: &World) -> u32 {
        world.entity(self.entity()).map_or(0, |entity| entity.gold)
    }

    /// Healing potions that it carries.
    #[property(category = "combat", display = "药水")]
    pub fn potions(&self, #[world] world: &World) -> u32 {
        world
            .entity(self.entity())
            .map_or(0, |entity| entity.potions)
    }

    /// The level of the player, from 1.
    #[property(category = "quest", display = "等级")]
    pub fn level(&self, #[world] world: &World) -> u32 {
        world.entity(self.entity()).map_or(0, |entity| entity.level)
    }

    /// Title of the quest that it is on, if it is on one.
    #[property(category = "quest")]
    pub fn quest(&self, #[world] world: &World) -> Option<String> {
        let log = world.entity(self.entity()).ok()?.quest()?;
        Some(log.quest.title.clone())
    }

    /// Show a feeling to everybody around.
    ///
    /// # Returns
    /// `true`; `false` for the dead.
    #[action(category = "talk", display = "表情", meta(net_role = "non_authority"))]
    pub fn emote(
        &mut self,
        #[world] world: &mut World,
        /// The gesture to show.
        #[arg(default = Emote::Wave)]
        emote: Emote,
    ) -> Result<(), WorldError> {
        let shown = match emote {
            Emote::Wave => "waves",
            Emote::Bow => "bows",
            Emote::Cheer => "cheers",
        };
        self.actor.say(world, &format!("*{shown}*"))
    }

    /// A quest's prey is dead, its reward waits.
    #[event(category = "quest", display = "任务完成")]
    pub fn quest_finished(
        /// The quest's title.
        title: &str,
        /// The reward.
        #[arg(unit = "coins")]
        reward: u32,
    );

    /// The player has risen to the next level.
    #[event(category = "quest", display = "升级")]
    pub fn level_reached(
        /// The new level.
        level: u32,
    );

    /// The player picked something up.
    #[event(category = "quest")]
    pub fn looted(
        /// The worth, in coins.
        #[arg(unit = "coins")]
        gold: u32,
    );
}

//! Quests, loot and shopping.

use bt_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::PlayerAgent;
use crate::world::Quest;
use crate::{Kind, World, WorldError};

/// The quest of the board to take.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum QuestChoice {
    /// The one that earns most for each kill.
    #[default]
    BestPaid,
    /// The one with the fewest kills.
    Shortest,
    /// Whichever.
    Random,
}

#[agent]
impl PlayerAgent {
    /// Pick a quest from the board.
    ///
    /// # Returns
    /// `true`; `false` if the board is empty.
    #[action(category = "quest", display = "挑选任务")]
    pub fn pick_quest(
        #[world] world: &World,
        cx: &mut Context,
        /// The quest to take.
        #[arg(default = QuestChoice::BestPaid)]
        choice: QuestChoice,
        /// Its title.
        #[arg(out)]
        title: &mut String,
    ) -> bool {
        let quests: Vec<&Quest> = world.quests().collect();
        let picked = match choice {
            QuestChoice::BestPaid => quests.iter().max_by_key(|q| q.reward / q.count.max(1)),
            QuestChoice::Shortest => quests.iter().min_by_key(|q| q.count),
            QuestChoice::Random => cx.random().choose(&quests),
        };
        picked.map(|quest| title.clone_from(&quest.title)).is_some()
    }

    /// Take on a quest.
    ///
    /// # Returns
    /// `true`; `false` if the player has one, or the board has none of that title.
    #[action(category = "quest", display = "接受任务")]
    pub fn accept_quest(
        &mut self,
        #[world] world: &mut World,
        /// The quest's title.
        title: &str,
    ) -> Result<(), WorldError> {
        world.accept_quest(self.entity(), title)
    }

    /// Turn in a finished quest.
    ///
    /// # Returns
    /// `true` when it is paid, `false` if there is none or it is not done.
    #[action(category = "quest", display = "交任务")]
    pub fn turn_in_quest(&mut self, #[world] world: &mut World) -> Result<(), WorldError> {
        world.turn_in_quest(self.entity()).map(|_| ())
    }

    /// Is the player on a quest?
    ///
    /// # Returns
    /// `true` from accepting it until it is turned in.
    #[condition(category = "quest")]
    pub fn has_quest(&self, #[world] world: &World) -> bool {
        let entity = world.entity(self.entity());
        entity.is_ok_and(|entity| entity.quest().is_some())
    }

    /// Is the quest done?
    ///
    /// # Returns
    /// `true` if it is and waits to be turned in.
    #[condition(category = "quest", display = "任务已完成")]
    pub fn is_quest_done(&self, #[world] world: &World) -> bool {
        let entity = world.entity(self.entity()).ok();
        let log = entity.and_then(|entity| entity.quest());
        log.is_some_and(|log| log.is_done())
    }

    /// Find the nearest monster that the quest asks for.
    ///
    /// # Returns
    /// `true` if one is alive anywhere.
    #[action(category = "quest")]
    pub fn find_prey(
        &self,
        #[world] world: &World,
        /// Online id of the monster.
        #[arg(out)]
        prey: &mut u64,
    ) -> Result<bool, WorldError> {
        let log = world.entity(self.entity())?.quest();
        let wanted = &log.ok_or(WorldError::Missing("quest"))?.quest.prey;
        let around = world.around(self.entity(), f64::INFINITY);
        let mut monsters = around.iter().filter(|other| other.kind == Kind::Monster);
        let found = monsters.find(|monster| monster.name == *wanted);
        Ok(found.map(|monster| *prey = monster.id).is_some())
    }

    /// Pick up loot that lies at one's feet.
    ///
    /// # Returns
    /// `true`; `false` if it is gone or too far away.
    #[action(category = "quest", display = "拾取")]
    pub fn loot(
        &mut self,
        #[world] world: &mut World,
        /// Online id of the heap.
        heap: u64,
    ) -> Result<(), WorldError> {
        world.pick_up(self.entity(), heap).map(|_| ())
    }

    /// Buy potions from a merchant at hand.
    ///
    /// # Returns
    /// `true`; `false` if no merchant is near or the gold does not do.
    #[action(category = "quest", display = "购买药水")]
    pub fn buy_potions(
        &mut self,
        #[world] world: &mut World,
        /// The number of potions.
        #[arg(default = 1, min = 1, max = 20)]
        count: u32,
    ) -> Result<(), WorldError> {
        world.buy_potions(self.entity(), count)
    }
}

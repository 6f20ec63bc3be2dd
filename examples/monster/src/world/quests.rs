//! Quests, loot and potions: the life of players.

use serde::{Deserialize, Serialize};

use super::{Kind, World, WorldError};
use crate::agents::PlayerAgent;

/// The reach of an entity's hands, in metres.
pub const ARM: f64 = 2.0;

/// The price of a potion, in coins.
pub const POTION_PRICE: u32 = 5;

/// Hit points that a potion gives back.
pub const POTION_HEALS: f64 = 25.0;

/// Something to do for a reward, on the board for every player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quest {
    /// Its title.
    pub title: String,
    /// The name of the monsters to kill.
    pub prey: String,
    /// The number of them.
    pub count: u32,
    /// The reward, in coins.
    pub reward: u32,
}

/// A quest that a player has taken on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestLog {
    /// The quest.
    pub quest: Quest,
    /// The number of them that are done.
    pub killed: u32,
}

impl QuestLog {
    /// Returns true if the reward is earned.
    pub fn is_done(&self) -> bool {
        self.killed >= self.quest.count
    }
}

impl World {
    /// Puts a quest on the board; it replaces one of the same title.
    pub fn post_quest(&mut self, quest: Quest) {
        self.quests.insert(quest.title.clone(), quest);
    }

    /// The quests on the board, by title.
    pub fn quests(&self) -> impl Iterator<Item = &Quest> {
        self.quests.values()
    }

    /// Lets a player take on a quest of the board.
    ///
    /// # Errors
    /// [`WorldError`] if the player is dead or has a quest, or the board does not have that one.
    pub fn accept_quest(&mut self, player: u64, title: &str) -> Result<(), WorldError> {
        if self.living(player)?.quest.is_some() {
            return Err(WorldError::Busy(player));
        }
        let quest = self.quests.get(title).cloned();
        let quest = quest.ok_or(WorldError::Missing("quest of that title"))?;
        self.entity_mut(player)?.quest = Some(QuestLog { quest, killed: 0 });
        Ok(())
    }

    /// Pays a player for a finished quest; how many coins.
    ///
    /// # Errors
    /// [`WorldError`] if the player is dead, or has no quest that is done.
    pub fn turn_in_quest(&mut self, player: u64) -> Result<u32, WorldError> {
        self.living(player)?;
        let entity = self.entity_mut(player)?;
        let done = entity.quest.take_if(|log| log.is_done());
        let log = done.ok_or(WorldError::Missing("finished quest"))?;
        entity.gold = entity.gold.saturating_add(log.quest.reward);
        Ok(log.quest.reward)
    }

    pub(super) fn count_kill(&mut self, killer: u64, victim: &str) {
        let Ok(entity) = self.entity_mut(killer) else {
            return;
        };
        let Some(log) = &mut entity.quest else {
            return;
        };
        if log.quest.prey != victim || log.is_done() {
            return;
        }
        log.killed += 1;
        if log.is_done() {
            let event = PlayerAgent::quest_finished(&log.quest.title, log.quest.reward);
            self.tell(killer, event);
        }
    }

    /// Lets an entity pick up a heap of loot within an arm's length; how many coins it was.
    ///
    /// # Errors
    /// [`WorldError`] if it is dead, or the loot is not there or too far away.
    pub fn pick_up(&mut self, id: u64, loot: u64) -> Result<u32, WorldError> {
        self.living(id)?;
        let heap = self.entity(loot)?;
        if heap.kind != Kind::Loot {
            return Err(WorldError::Missing("loot"));
        }
        let gold = heap.gold;
        if self.distance(id, loot).is_none_or(|d| d > ARM) {
            return Err(WorldError::OutOfReach(loot));
        }
        self.despawn(loot);
        let purse = &mut self.entity_mut(id)?.gold;
        *purse = purse.saturating_add(gold);
        self.tell(id, PlayerAgent::looted(gold));
        Ok(gold)
    }

    /// Buys potions from a merchant within an arm's length.
    ///
    /// # Errors
    /// [`WorldError`] if the entity is dead, no merchant is near, or its gold does not do.
    pub fn buy_potions(&mut self, id: u64, count: u32) -> Result<(), WorldError> {
        self.living(id)?;
        let mut near = self.around(id, ARM).into_iter();
        if !near.any(|entity| entity.kind == Kind::Merchant) {
            return Err(WorldError::Missing("merchant at hand"));
        }
        let entity = self.entity_mut(id)?;
        let price = count.saturating_mul(POTION_PRICE);
        entity.gold = entity
            .gold
            .checked_sub(price)
            .ok_or(WorldError::Missing("gold for that"))?;
        entity.potions += count;
        Ok(())
    }

    /// Drinks a potion; how many hit points it gave back.
    ///
    /// # Errors
    /// [`WorldError`] if the entity is dead or has no potion.
    pub fn drink_potion(&mut self, id: u64) -> Result<f64, WorldError> {
        self.living(id)?;
        let entity = self.entity_mut(id)?;
        entity.potions = entity
            .potions
            .checked_sub(1)
            .ok_or(WorldError::Missing("potion"))?;
        Ok(self.heal(id, POTION_HEALS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Blueprint, Point};

    #[test]
    fn a_quest_is_taken_done_and_paid() {
        let mut world = World::new();
        let hero = world.spawn(Blueprint::player("hero", Point::new(9.0, 9.0)));
        let wolves =
            [1.0, 2.0].map(|x| world.spawn(Blueprint::monster("wolf", Point::new(x, 1.0))));
        let hare = world.spawn(Blueprint::monster("hare", Point::new(3.0, 1.0)));
        world.post_quest(Quest {
            title: "two wolves".into(),
            prey: "wolf".into(),
            count: 2,
            reward: 50,
        });
        assert!(world.accept_quest(hero, "three wolves").is_err());
        world.accept_quest(hero, "two wolves").unwrap();
        assert_eq!(
            world.accept_quest(hero, "two wolves"),
            Err(WorldError::Busy(hero))
        );
        world.hurt(hare, hero, 99.0);
        world.hurt(wolves[0], hero, 99.0);
        assert!(world.turn_in_quest(hero).is_err());
        world.take_events();
        world.hurt(wolves[1], hero, 99.0);
        let finished = PlayerAgent::quest_finished("two wolves", 50);
        assert!(world.take_events().contains(&(hero, finished)));
        assert_eq!(world.turn_in_quest(hero), Ok(50));
        assert_eq!(world.entity(hero).unwrap().gold, 50);
    }

    #[test]
    fn potions_cost_gold_and_need_a_merchant() {
        let mut world = World::new();
        let hero = world.spawn(
            Blueprint::player("hero", Point::new(9.0, 9.0))
                .potions(0)
                .gold(12),
        );
        assert_eq!(
            world.buy_potions(hero, 1),
            Err(WorldError::Missing("merchant at hand"))
        );
        world.spawn(Blueprint::merchant("ann", Point::new(10.0, 9.0)));
        assert_eq!(
            world.buy_potions(hero, 3),
            Err(WorldError::Missing("gold for that"))
        );
        world.buy_potions(hero, 2).unwrap();
        world.entity_mut(hero).unwrap().health = 10.0;
        assert_eq!(world.drink_potion(hero), Ok(POTION_HEALS));
        let hero = world.entity(hero).unwrap();
        assert_eq!((hero.gold, hero.potions, hero.health), (2, 1, 35.0));
    }

    #[test]
    fn loot_is_picked_up_once_and_at_hand_only() {
        let mut world = World::new();
        let hero = world.spawn(Blueprint::player("hero", Point::new(9.0, 9.0)));
        let near = world.spawn(Blueprint::loot(3, Point::new(9.0, 10.0)));
        let far = world.spawn(Blueprint::loot(3, Point::new(9.0, 20.0)));
        assert_eq!(world.pick_up(hero, near), Ok(3));
        assert_eq!(world.pick_up(hero, near), Err(WorldError::Unknown(near)));
        assert_eq!(world.pick_up(hero, far), Err(WorldError::OutOfReach(far)));
    }
}

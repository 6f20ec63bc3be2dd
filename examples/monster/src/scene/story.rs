//! The story of a scene: a line for each event that people would want to know of, in their words.
//!
//! It is told from what the world says has happened to whom, and from what has changed with an
//! agent from before its poll to after it. No agent and no tree knows that anybody listens.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use bt_core::Event;
use bt_core::trace::SharedWriter;
use serde::{Deserialize, Serialize};

use super::actor::Actor;
use super::names::full_name;
use crate::{Kind, Stance, World};

/// The lines that were not taken yet, and what everybody is called.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Story {
    /// Not saved: who has saved them still has them.
    #[serde(skip, default = "no_lines")]
    lines: SharedWriter<Vec<u8>>,
    names: BTreeMap<u64, String>,
    /// The last look at each agent.
    seen: BTreeMap<u64, Glance>,
    /// The agents that have fled since their hunt began: that is in the story, so the hunt's end is not.
    fled: BTreeSet<u64>,
}

/// A look at an agent at one moment.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Glance {
    id: u64,
    /// The entity that it hunts.
    pub(super) hunts: Option<u64>,
    pub(super) flees: bool,
    rests: bool,
    /// The quest that it is on, and its reward.
    pub(super) quest: Option<(String, u32)>,
    pub(super) potions: u32,
    pub(super) is_logged_in: bool,
}

impl Glance {
    /// Looks at an agent now.
    fn of(id: u64, actor: &dyn Actor, world: &World) -> Glance {
        let Ok(entity) = world.entity(id) else {
            return Glance::default();
        };
        let is_hunting = actor.tree() == "hunt.json";
        let prey = is_hunting.then(|| actor.blackboard().get_as("prey").ok());
        let quest = entity.quest().map(|log| &log.quest);
        let is_account = entity.kind == Kind::Account;
        Glance {
            id,
            // 0 is nobody: the hunt is over, and the hunter out of breath.
            hunts: prey.flatten().filter(|prey| *prey != 0),
            flees: entity.stance == Stance::Fleeing,
            rests: entity.resting,
            quest: quest.map(|quest| (quest.title.clone(), quest.reward)),
            potions: entity.potions,
            is_logged_in: is_account && world.server().account_of(id).is_some(),
        }
    }
}

impl Default for Story {
    fn default() -> Story {
        Story {
            lines: no_lines(),
            names: BTreeMap::new(),
            seen: BTreeMap::new(),
            fled: BTreeSet::new(),
        }
    }
}

fn no_lines() -> SharedWriter<Vec<u8>> {
    SharedWriter::new(Vec::new())
}

impl Story {
    pub(super) fn take_lines(&mut self) -> Vec<String> {
        let lines = self.lines.with(std::mem::take);
        let lines = String::from_utf8_lossy(&lines);
        lines.lines().map(str::to_owned).collect()
    }

    /// The writer of the story, for others who have lines for it.
    pub(super) fn aside(&self) -> SharedWriter<Vec<u8>> {
        self.lines.clone()
    }

    /// The name of an agent that exists, or existed.
    pub(super) fn known(&self, id: u64) -> Option<&str> {
        self.names.get(&id).map(String::as_str)
    }

    /// Looks at a newcomer, whose name is remembered also when it is gone.
    pub(super) fn meet(&mut self, id: u64, actor: &dyn Actor, world: &World) {
        if let Ok(entity) = world.entity(id) {
            self.names.insert(id, full_name(entity));
        }
        self.seen.insert(id, Glance::of(id, actor, world));
    }

    /// Looks at an agent no more.
    pub(super) fn part(&mut self, id: u64) {
        self.seen.remove(&id);
        self.fled.remove(&id);
    }

    /// Compares the last look at an agent with a new one.
    pub(super) fn look_again(
        &mut self,
        id: u64,
        actor: &dyn Actor,
        world: &World,
    ) -> (Glance, Glance) {
        let after = Glance::of(id, actor, world);
        let before = self.seen.insert(id, after.clone());
        (before.unwrap_or_default(), after)
    }

    /// The name of an entity, with its id: several may share a name.
    fn name(&self, id: u64, world: &World) -> String {
        match (self.names.get(&id), world.entity(id)) {
            (Some(name), _) => name.clone(),
            (None, Ok(entity)) => full_name(entity),
            (None, Err(_)) => "somebody".to_owned(),
        }
    }

    fn tell(&mut self, id: u64, what: &str, world: &World) {
        let name = self.name(id, world);
        self.say(&format!("{name} {what}"), world);
    }

    /// Tells something of nobody in particular.
    pub(super) fn say(&mut self, what: &str, world: &World) {
        let seconds = world.now().as_secs();
        let (minutes, seconds) = (seconds / 60, seconds % 60);
        let written = writeln!(self.lines, "{minutes:02}:{seconds:02} {what}");
        debug_assert!(written.is_ok(), "memory takes every line");
    }

    /// Tells what has changed with an agent, which was polled for that event if for one.
    pub(super) fn changed(
        &mut self,
        (before, after): &(Glance, Glance),
        event: Option<&Event>,
        world: &World,
    ) {
        let id = before.id;
        let Ok(entity) = world.entity(id) else {
            return;
        };
        let left = format!(
            "{:.0} of {} hp left",
            entity.health.ceil(),
            entity.max_health
        );
        if before.hunts != after.hunts {
            self.hunt_changed((before.hunts, after.hunts), id, event, world);
        }
        if after.flees && !before.flees {
            self.fled.insert(id);
            self.tell(id, &format!("flees, {left}"), world);
        }
        if after.rests && !before.rests {
            self.tell(id, &format!("sits down to rest, {left}"), world);
        }
        match (&before.quest, &after.quest) {
            (None, Some((title, _))) => {
                self.tell(id, &format!("takes on the quest `{title}`"), world);
            }
            (Some((title, reward)), None) => {
                let what = format!("is paid {reward} coins for the quest `{title}`");
                self.tell(id, &what, world);
            }
            _ => {}
        }
        if after.potions > before.potions {
            let bought = after.potions - before.potions;
            self.tell(id, &format!("buys potions: {bought}"), world);
        } else if after.potions < before.potions {
            self.tell(id, &format!("drinks a potion, {left}"), world);
        }
        match (before.is_logged_in, after.is_logged_in) {
            (false, true) => self.tell(id, "logs in", world),
            (true, false) => self.tell(id, "logs out", world),
            _ => {}
        }
    }

    fn hunt_changed(
        &mut self,
        (before, after): (Option<u64>, Option<u64>),
        id: u64,
        event: Option<&Event>,
        world: &World,
    ) {
        let call = event.filter(|event| event.name() == "help_called");
        let caller = call.and_then(|event| event.get_as("caller").ok());
        let has_fled = self.fled.remove(&id);
        let what = match (before, after, caller) {
            (_, Some(prey), Some(caller)) => {
                let caller = self.name(caller, world);
                format!("hears {caller} call, and hunts {}", self.name(prey, world))
            }
            (_, Some(prey), None) => format!("sees {} and hunts", self.name(prey, world)),
            (Some(prey), None, _) if world.living(prey).is_ok() && !has_fled => {
                format!("gives up the hunt for {}", self.name(prey, world))
            }
            _ => return,
        };
        self.tell(id, &what, world);
    }

    /// Tells what happened to an agent, if it is worth a line.
    pub(super) fn happened(&mut self, id: u64, event: &Event, world: &World) {
        let number = |param| event.get_as::<u64>(param).unwrap_or_default();
        let text = |param| event.get_as::<String>(param).unwrap_or_default();
        let what = match event.name() {
            "died" => format!("is killed by {}", self.name(number("killer"), world)),
            "level_reached" => format!("reaches level {}", number("level")),
            "quest_finished" => format!("has done what `{}` asks for", text("title")),
            "looted" => format!("picks up {} coins", number("gold")),
            "server_refused" => format!("is refused: {}", text("why")),
            _ => return,
        };
        self.tell(id, &what, world);
    }

    /// Tells that an account's player is in the world.
    pub(super) fn entered(&mut self, player: u64, world: &World) {
        let owner = world.entity(player).ok().and_then(|entity| entity.owner);
        let owner = owner.unwrap_or_default();
        let what = format!("enters the world as {}", self.name(player, world));
        self.tell(owner, &what, world);
    }

    /// Tells that somebody is not in the world any more.
    pub(super) fn left(&mut self, id: u64, world: &World) {
        self.tell(id, "leaves the world", world);
    }
}

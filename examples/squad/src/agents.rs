//! The abilities of soldiers, knights and archers.

use bt_core::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;
use std::time::Duration;

/// The world that all agents act on. A poll borrows it.
#[derive(Default)]
pub(crate) struct Battle {
    /// The number of hits that the enemy still takes.
    pub(crate) enemy: u32,
}

/// Somewhere on the battlefield. The editor offers the variants as choices.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Place {
    /// Over the river.
    Bridge,
    /// From here an arrow reaches the bridge.
    Hill,
}

/// The common abilities of soldiers. Trees for a soldier run on knights and archers, too.
#[derive(Agent)]
#[agent(world = Battle)]
pub(crate) struct Soldier {
    name: &'static str,
}

#[agent]
impl Soldier {
    /// Walk to a place.
    #[action]
    fn walk_to(
        &mut self,
        cx: &mut Context,
        /** Where to. */
        place: Place,
    ) -> Option<bool> {
        self.report(cx, &format!("walks to the {place:?}"));
        cx.finish_after(Duration::from_secs(2), true);
        None
    }

    /// Is the enemy beaten?
    #[condition]
    fn is_won(&self, #[world] battle: &Battle) -> bool {
        battle.enemy == 0
    }
}

impl Soldier {
    fn report(&self, cx: &Context, what: &str) {
        println!("{} s: {} {what}.", cx.now().as_secs(), self.name);
    }

    fn hit(&self, cx: &mut Context, battle: &mut Battle, damage: u32) {
        battle.enemy = battle.enemy.saturating_sub(damage);
        self.report(cx, &format!("hits, and {} is left", battle.enemy));
    }
}

/// Fights at arm's length.
#[derive(Agent)]
#[agent(world = Battle)]
pub(crate) struct Knight {
    #[agent(base)]
    soldier: Soldier,
}

#[agent]
impl Knight {
    /// A knight of this name.
    pub(crate) fn new(name: &'static str) -> Knight {
        Knight {
            soldier: Soldier { name },
        }
    }

    /// Strike once, and recover for two seconds.
    #[action]
    fn strike(
        &mut self,
        #[world] battle: &mut Battle,
        cx: &mut Context,
        #[arg(min = 1, max = 5)] damage: u32,
    ) -> Option<bool> {
        self.soldier.hit(cx, battle, damage);
        cx.finish_after(Duration::from_secs(2), true);
        None
    }
}

/// Fights from afar.
#[derive(Agent)]
#[agent(world = Battle)]
pub(crate) struct Archer {
    #[agent(base)]
    soldier: Soldier,
}

#[agent]
impl Archer {
    /// An archer of this name.
    pub(crate) fn new(name: &'static str) -> Archer {
        Archer {
            soldier: Soldier { name },
        }
    }

    /// Shoot once, and take out the next arrow for a second.
    #[action]
    fn shoot(
        &mut self,
        #[world] battle: &mut Battle,
        cx: &mut Context,
        damage: u32,
    ) -> Option<bool> {
        self.soldier.hit(cx, battle, damage);
        cx.finish_after(Duration::from_secs(1), true);
        None
    }
}

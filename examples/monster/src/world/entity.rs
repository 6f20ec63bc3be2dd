//! Entities: what lives, lies and trades in the world.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::combat::Swing;
use super::geometry::Point;
use super::movement::Course;
use super::quests::QuestLog;

/// The sort of an entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Fights players.
    Monster,
    /// Fights monsters; a player's character.
    Player,
    /// Sells potions.
    Merchant,
    /// Lies about until somebody picks it up.
    Loot,
    /// A login without a body.
    Account,
}

impl Kind {
    /// Returns true if the two attack each other on sight.
    pub fn is_hostile_to(self, other: Kind) -> bool {
        matches!(
            (self, other),
            (Kind::Monster, Kind::Player) | (Kind::Player, Kind::Monster)
        )
    }

    /// Returns true if it can be hurt and can die.
    pub fn is_mortal(self) -> bool {
        matches!(self, Kind::Monster | Kind::Player)
    }
}

/// The stance of an entity. It shows, and it sets the pace.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stance {
    /// Strolls, at half speed.
    Calm,
    /// Walks and looks around.
    #[default]
    Alert,
    /// Runs at whatever it hunts.
    Aggressive,
    /// Runs for its life, a little faster still.
    Fleeing,
}

impl Stance {
    /// The share of its speed that an entity makes use of.
    pub fn pace(self) -> f64 {
        match self {
            Stance::Calm => 0.5,
            Stance::Alert => 1.0,
            Stance::Aggressive => 1.25,
            Stance::Fleeing => 1.5,
        }
    }
}

/// One entity of the world.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Entity {
    /// Its online id, never given twice.
    pub id: u64,
    /// The sort.
    pub kind: Kind,
    /// The name for people; several may share one.
    pub name: String,
    /// The point at which it stands.
    pub position: Point,
    /// The point at which it looks.
    pub facing: Point,
    /// Metres a second at the pace of [`Stance::Alert`]; 0 for what does not move.
    pub speed: f64,
    /// Hit points left; 0 is dead.
    pub health: f64,
    /// Hit points when unhurt.
    pub max_health: f64,
    /// Metres that its attack reaches.
    pub reach: f64,
    /// Hit points that its attack costs.
    pub damage: f64,
    /// The time from raising its weapon to the hit.
    pub wind_up: Duration,
    /// The stance.
    pub stance: Stance,
    /// Coins that it carries, or that a heap of loot is worth.
    pub gold: u32,
    /// Healing potions that it carries.
    pub potions: u32,
    /// True if it sits down to recover.
    pub resting: bool,
    /// The level in its trade, from 1; only players rise.
    pub level: u32,
    /// The experience since its last rise.
    pub experience: u32,
    /// Metres that it has walked in its life.
    pub walked: f64,
    /// The account that plays it.
    pub owner: Option<u64>,
    pub(crate) course: Option<Course>,
    pub(crate) swing: Option<Swing>,
    pub(crate) quest: Option<QuestLog>,
}

impl Entity {
    /// Returns true if it is there and not dead.
    pub fn is_alive(&self) -> bool {
        self.kind.is_mortal() && self.health > 0.0
    }

    /// Returns true if others meet it on the plane.
    pub fn has_body(&self) -> bool {
        self.kind != Kind::Account
    }

    /// Health as a share of what it is when unhurt, from 0 to 1.
    pub fn health_share(&self) -> f64 {
        if self.max_health > 0.0 {
            self.health / self.max_health
        } else {
            0.0
        }
    }

    /// Returns true if it is on its way somewhere.
    pub fn is_moving(&self) -> bool {
        self.course.is_some()
    }

    /// Returns true if it has raised its weapon.
    pub fn is_attacking(&self) -> bool {
        self.swing.is_some()
    }

    /// The quest that it has taken on.
    pub fn quest(&self) -> Option<&QuestLog> {
        self.quest.as_ref()
    }
}

/// The blueprint that [`World::spawn`](super::World::spawn) makes an entity from.
#[derive(Debug, Clone)]
pub struct Blueprint(pub(super) Entity);

impl Blueprint {
    fn new(kind: Kind, name: &str, position: Point) -> Blueprint {
        Blueprint(Entity {
            id: 0,
            kind,
            name: name.to_owned(),
            position,
            facing: position,
            speed: 0.0,
            health: 0.0,
            max_health: 0.0,
            reach: 0.0,
            damage: 0.0,
            wind_up: Duration::ZERO,
            stance: Stance::default(),
            gold: 0,
            potions: 0,
            resting: false,
            level: 1,
            experience: 0,
            walked: 0.0,
            owner: None,
            course: None,
            swing: None,
            quest: None,
        })
    }

    /// A monster with 30 hp, 4 m/s, and a bite of 5 hp after half a second.
    pub fn monster(name: &str, at: Point) -> Blueprint {
        Blueprint::new(Kind::Monster, name, at)
            .health(30.0)
            .speed(4.0)
            .attack(5.0, 1.5, Duration::from_millis(500))
            .gold(10)
    }

    /// A player with 50 hp, 5 m/s, two potions, and a sword of 8 hp after 0.4 seconds.
    pub fn player(name: &str, at: Point) -> Blueprint {
        Blueprint::new(Kind::Player, name, at)
            .health(50.0)
            .speed(5.0)
            .attack(8.0, 2.0, Duration::from_millis(400))
            .potions(2)
    }

    /// Somebody who sells potions.
    pub fn merchant(name: &str, at: Point) -> Blueprint {
        Blueprint::new(Kind::Merchant, name, at)
    }

    /// A heap of coins.
    pub fn loot(gold: u32, at: Point) -> Blueprint {
        Blueprint::new(Kind::Loot, "loot", at).gold(gold)
    }

    /// A login: an entity without a body.
    pub fn account(name: &str) -> Blueprint {
        Blueprint::new(Kind::Account, name, Point::default())
    }

    /// With so many hit points.
    pub fn health(mut self, points: f64) -> Blueprint {
        self.0.health = points;
        self.0.max_health = points;
        self
    }

    /// With that speed, in metres a second.
    pub fn speed(mut self, speed: f64) -> Blueprint {
        self.0.speed = speed;
        self
    }

    /// With an attack that costs `damage` hit points within `reach` metres after `wind_up`.
    pub fn attack(mut self, damage: f64, reach: f64, wind_up: Duration) -> Blueprint {
        self.0.damage = damage;
        self.0.reach = reach;
        self.0.wind_up = wind_up;
        self
    }

    /// With so many coins.
    pub fn gold(mut self, coins: u32) -> Blueprint {
        self.0.gold = coins;
        self
    }

    /// With so many potions.
    pub fn potions(mut self, potions: u32) -> Blueprint {
        self.0.potions = potions;
        self
    }
}

//! The cast: the village, the breeds of monsters, and how each gets its agent and its tree.

use std::time::Duration;

use bt_core::{Random, Runner};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::actor::{Actor, Mind};
use super::trees::Forest;
use crate::world::Quest;
use crate::{
    AccountAgent, Blueprint, MonsterAgent, Obstacle, PlayerAgent, Point, World, WorldError,
};

/// A sort of monster; as JSON, its name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Breed {
    name: &'static str,
    health: f64,
    speed: f64,
    damage: f64,
    /// Milliseconds from raising a paw to the hit.
    wind_up: u64,
    gold: u32,
    /// The share of its health below which it flees.
    flee_below: f64,
}

/// Of four monsters, which breeds they are.
const MIX: [usize; 4] = [0, 1, 0, 2];

const BREEDS: [Breed; 3] = [
    Breed {
        name: "wolf",
        health: 40.0,
        speed: 4.2,
        damage: 5.0,
        wind_up: 700,
        gold: 8,
        flee_below: 0.35,
    },
    Breed {
        name: "goblin",
        health: 50.0,
        speed: 3.8,
        damage: 4.0,
        wind_up: 600,
        gold: 15,
        flee_below: 0.6,
    },
    Breed {
        name: "bear",
        health: 90.0,
        speed: 3.5,
        damage: 7.0,
        wind_up: 1300,
        gold: 25,
        flee_below: 0.0,
    },
];

/// The home of a monster, and its breed: all that is needed to have it again.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Lair {
    breed: Breed,
    home: Point,
    route: Vec<Point>,
}

impl Serialize for Breed {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name)
    }
}

impl<'de> Deserialize<'de> for Breed {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Breed, D::Error> {
        let name = String::deserialize(from)?;
        let found = BREEDS.into_iter().find(|breed| breed.name == name);
        found.ok_or_else(|| D::Error::custom(format!("there is no breed `{name}`")))
    }
}

/// The number of accounts among `agents`; as many more are their players.
pub(super) fn accounts_among(agents: u32) -> u32 {
    agents / 4
}

/// The world for so many agents: the more, the larger. In its middle stands a village.
pub(super) fn world(agents: u32, random: &mut Random) -> World {
    let side = (12.0 * f64::from(agents).sqrt()).clamp(60.0, 150.0);
    let mut world = World::with_size(side, side);
    let middle = middle(&world);
    world.spawn(Blueprint::merchant("Ann", middle));
    world.server_mut().set_free_seats(2);
    let at = |x, y| Point::new(middle.x + x, middle.y + y);
    for (min, max) in [
        (at(-9.0, 3.0), at(-4.0, 7.0)),
        (at(4.0, 4.0), at(8.0, 8.0)),
        (at(3.0, -8.0), at(8.0, -5.0)),
    ] {
        world.add_obstacle(Obstacle::Rect { min, max });
    }
    for _ in 0..(side / 5.0) as u32 {
        let center = somewhere(&world, random);
        let radius = random.float(0.6, 2.0);
        if center.distance(middle) > 14.0 {
            world.add_obstacle(Obstacle::Circle { center, radius });
        }
    }
    for (title, prey, count, reward) in [
        ("thin out the wolves", "wolf", 3, 48),
        ("teach the goblins", "goblin", 2, 30),
        ("the bear's skin", "bear", 1, 14),
    ] {
        world.post_quest(Quest {
            title: title.to_owned(),
            prey: prey.to_owned(),
            count,
            reward,
        });
    }
    world
}

/// A place for a monster to live, far enough from the village.
pub(super) fn lair(number: u32, world: &World, random: &mut Random) -> Lair {
    let middle = middle(world);
    let is_good = |at: &Point| {
        let is_free = world.ground().is_free(*at);
        is_free && at.distance(middle) > 20.0 && world.ground().path(middle, *at).is_some()
    };
    let home = find(random, |random| somewhere(world, random), is_good);
    let mut route: Vec<Point> = (0..3)
        .map(|_| {
            let around = |random: &mut Random| {
                let (x, y) = (random.float(-9.0, 9.0), random.float(-9.0, 9.0));
                Point::new(home.x + x, home.y + y)
            };
            let is_walkable = |at: &Point| world.ground().path(home, *at).is_some();
            find(random, around, is_walkable)
        })
        .collect();
    route.push(home);
    Lair {
        breed: BREEDS[MIX[number as usize % MIX.len()]],
        home,
        route,
    }
}

/// Draws until a draw is good; a map without a good place would be no map.
fn find(
    random: &mut Random,
    draw: impl Fn(&mut Random) -> Point,
    is_good: impl Fn(&Point) -> bool,
) -> Point {
    loop {
        let candidate = draw(random);
        if is_good(&candidate) {
            return candidate;
        }
    }
}

/// Puts a monster into the world; its entity, and what drives it.
pub(super) fn monster(
    lair: &Lair,
    forest: &Forest,
    world: &mut World,
    random: &mut Random,
) -> (u64, Box<dyn Actor>) {
    let breed = lair.breed;
    let body = Blueprint::monster(breed.name, lair.home)
        .health(breed.health)
        .speed(breed.speed)
        .attack(breed.damage, 1.5, Duration::from_millis(breed.wind_up))
        .gold(breed.gold);
    let id = world.spawn(body);
    let mut agent = MonsterAgent::new(id, lair.home);
    agent.flee_below = breed.flee_below;
    let runner = runner(&forest.monsters, "patrol.json", random);
    // Written before the tree starts, so it wins over what the tree says the route is at first.
    let written = runner.blackboard().set_as("route", &lair.route);
    debug_assert_eq!(written, Ok(()));
    (id, Box::new(Mind::new(agent, runner)))
}

/// Puts an account into the world; its entity, and what drives it.
pub(super) fn account(
    number: u32,
    forest: &Forest,
    world: &mut World,
    random: &mut Random,
) -> (u64, Box<dyn Actor>) {
    const NAMES: [&str; 8] = ["ada", "bob", "cleo", "dan", "eve", "finn", "gus", "hal"];
    let known = NAMES[number as usize % NAMES.len()];
    let name = match number as usize / NAMES.len() {
        0 => known.to_owned(),
        round => format!("{known}{}", round + 1),
    };
    let id = world.spawn(Blueprint::account(&name));
    let agent = AccountAgent::new(id, &name, "secret");
    let runner = runner(&forest.accounts, "account.json", random);
    let gate = middle(world);
    let gate = Point::new(gate.x, gate.y - 3.0);
    let written = runner.blackboard().set_as("gate", &gate);
    debug_assert_eq!(written, Ok(()));
    (id, Box::new(Mind::new(agent, runner)))
}

/// The mind of a player that an account has brought into the world.
pub(super) fn player(
    id: u64,
    forest: &Forest,
    world: &mut World,
    random: &mut Random,
) -> Result<Box<dyn Actor>, WorldError> {
    let body = world.entity_mut(id)?;
    body.gold = 10;
    body.damage = 7.0;
    body.wind_up = Duration::from_millis(600);
    let agent = PlayerAgent::new(id);
    let runner = runner(&forest.players, "auto_play.json", random);
    Ok(Box::new(Mind::new(agent, runner)))
}

/// A runner on one of the trees, with luck of its own, that starts in its first poll.
fn runner<A: bt_core::Agent>(
    trees: &bt_core::Trees<A>,
    tree: &str,
    random: &mut Random,
) -> Runner<A> {
    let seed = random.int(0..=i64::MAX).unsigned_abs();
    let mut runner = Runner::new(trees, tree)
        .unwrap_or_else(|error| panic!("the scene names its own trees: {error}"))
        .seed(seed);
    runner.start();
    runner
}

fn middle(world: &World) -> Point {
    let size = world.ground().size;
    Point::new(size.x / 2.0, size.y / 2.0)
}

fn somewhere(world: &World, random: &mut Random) -> Point {
    let size = world.ground().size;
    Point::new(
        random.float(1.0, size.x - 1.0),
        random.float(1.0, size.y - 1.0),
    )
}

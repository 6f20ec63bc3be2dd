//! Tests of an agent's registrations, reached by name: static actions, properties, events, the fallback, exit
//! and resume methods; its own and inherited ones, in worlds that borrow.

mod events;
mod fallback;
mod fields;
mod hooks;
mod properties;
mod sources;
mod statics;
mod watching;
mod writes;

use bt_core::prelude::*;
use bt_core::{ActionSet, CallError};
use serde_json::{Value, json};

/// A level that is borrowed for the time of a poll.
struct Level {
    size: u32,
}

/// A world that borrows, twice.
struct Crew<'w, 's> {
    level: &'w Level,
    log: &'s mut Vec<String>,
}

/// The base of the base.
#[derive(Agent, Default)]
#[agent(world = Crew<'w, 's>)]
struct Body {}

#[agent]
impl Body {
    /// Is the level larger?
    #[condition(alias = ["bigger"])]
    fn is_larger(#[world] world: &Crew, than: u32) -> bool {
        world.level.size > than
    }

    #[action]
    fn shout(#[world] world: &mut Crew<'_, '_>, cx: &mut Context, words: &str) {
        cx.set("shouted", words);
        world.log.push(words.to_owned());
    }

    /// Needs a body.
    #[action]
    fn breathe(&self) {}
}

#[derive(Agent, Default)]
#[agent(world = Crew<'w, 's>)]
struct Walker {
    #[agent(base)]
    body: Body,
}

/// Two levels above `Body`.
#[derive(Agent, Default)]
#[agent(world = Crew<'w, 's>)]
struct Hero {
    #[agent(base)]
    walker: Walker,
}

#[agent]
impl Hero {
    #[action]
    fn sum(a: i32, #[arg(default = 1)] b: i32) -> bool {
        a + b > 10
    }
}

trait Sized2 {
    const SIDES: u32;
}

struct Square;
struct Hexagon;

impl Sized2 for Square {
    const SIDES: u32 = 4;
}
impl Sized2 for Hexagon {
    const SIDES: u32 = 6;
}

/// A generic agent.
#[derive(Agent)]
struct Tile<S: Sized2> {
    shape: std::marker::PhantomData<S>,
}

#[agent]
impl<S: Sized2> Tile<S> {
    #[property(name = "sides")]
    const SIDES: u32 = S::SIDES;

    #[property]
    fn name(&self) -> String {
        format!("tile of {} sides", S::SIDES)
    }

    #[condition]
    fn has_sides(sides: u32) -> bool {
        sides == S::SIDES
    }
}

register_agent!(Tile<Square>, name = "square");
register_agent!(Tile<Hexagon>, name = "hexagon");

fn registry() -> &'static Registry {
    Registry::global().unwrap()
}

/// Lends a world to `f`; what was logged.
fn in_level<R>(size: u32, f: impl FnOnce(&mut Crew<'_, '_>) -> R) -> (R, Vec<String>) {
    let level = Level { size };
    let mut log = Vec::new();
    let answer = f(&mut Crew {
        level: &level,
        log: &mut log,
    });
    (answer, log)
}

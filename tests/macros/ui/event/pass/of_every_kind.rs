#![deny(warnings, missing_docs)]
//! Events.
use bt_core::prelude::*;

/// A monster.
#[derive(Agent)]
pub struct Monster;

type Id = u64;

#[agent]
impl Monster {
    /// Nothing to tell.
    #[event]
    fn woke();

    /// Something ran into it.
    #[event(category = "physics", alias = ["bumped"])]
    pub fn collided(/** Who. */ other: Id, #[arg(unit = "N s", min = 0.0)] impulse: f64);

    /// Borrowed.
    #[event]
    pub(crate) fn told<'a>(by: &str, words: &'a [String], at: &Option<(f64, f64)>, any: &serde_json::Value);

    /// With a name of its own.
    #[event(name = "level-up")]
    #[allow(clippy::too_many_arguments)]
    fn level_up(event: u8, name: u8, made: u8, value: u8, #[arg(name = "new")] level: u8);
}

fn main() {
    let event = Monster::level_up(1, 2, 3, 4, 5);
    assert_eq!((event.name(), event.get("event")), ("level-up", Some(&1.into())));
    assert_eq!(event.get("new"), Some(&5.into()));
    let event = Monster::told("x", &[String::from("y")], &None, &7.into());
    assert_eq!(event.get("words"), Some(&serde_json::json!(["y"])));
    assert_eq!(Monster::woke().params().count(), 0);
    assert_eq!(Monster::collided(7, 1.5).params().count(), 2);
}

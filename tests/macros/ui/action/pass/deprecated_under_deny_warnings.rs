#![deny(warnings, deprecated)]
use bt_core::prelude::*;

/// An agent.
#[derive(Agent)]
struct Monster {
    #[property]
    #[deprecated = "use `health`"]
    hp: i32,
}

#[agent]
impl Monster {
    #[deprecated(since = "2.0", note = "use `roar`")]
    #[action]
    fn growl(&self) {}

    #[deprecated]
    #[property]
    const SIGHT: f64 = 2.0;

    #[deprecated]
    #[event]
    fn heard(how: f64);

    #[deprecated]
    #[property]
    fn speed(&self) -> f64 {
        1.0
    }

    #[deprecated]
    #[property(set)]
    fn set_speed(&mut self, speed: f64) {
        let _ = speed;
    }

    #[deprecated]
    #[fallback]
    fn anything(&mut self, _: &mut Context, _n: &str, _a: &[serde_json::Value]) -> Option<bool> {
        None
    }

    #[action(exit = "left")]
    fn leave(&self) -> Option<bool> {
        None
    }

    #[deprecated]
    fn left(&mut self, _cx: &mut Context, _exit: Exit) {}
}

/// Of old.
#[deprecated]
#[derive(Agent)]
pub struct Npc;

fn main() {
    let agent = Registry::global().unwrap().agent("monster").unwrap();
    assert!(agent.action("growl").unwrap().item.deprecated.is_some());
    assert!(agent.property("hp").unwrap().item.deprecated.is_some());
}

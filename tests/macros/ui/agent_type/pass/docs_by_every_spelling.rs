#![deny(warnings)]
use bt_core::prelude::*;

#[doc = concat!("A ", "monster.")]
#[derive(Agent)]
struct Monster {
    #[cfg_attr(all(), doc = "Hit points.")]
    #[property]
    hp: i32,
}

/** An actor.

With *two* paragraphs. */
#[derive(Agent)]
struct Actor;

#[doc = include_str!("docs_by_every_spelling.txt")]
#[derive(Agent)]
struct Npc;

#[agent]
impl Npc {
    /**
     * Growls.
     *
     * # Arguments
     * * `loudness` - in decibels
     */
    #[cfg_attr(all(), doc = "Loudly.")]
    #[action]
    fn growl(&self, /** How loud. */ loudness: f64, #[doc = "How long."] time: f64) {
        let _ = (loudness, time);
    }
}

fn main() {
    let _ = Monster { hp: 7 };
    let registry = Registry::global().unwrap();
    let brief = |name: &str| registry.agent(name).unwrap().entry().item.brief.clone();
    assert_eq!(brief("monster"), "A monster.");
    assert_eq!(brief("actor"), "An actor.");
    assert_eq!(brief("npc"), "A person.");
    let growl = registry.agent("npc").unwrap().action("growl").unwrap();
    assert_eq!(growl.args[0].comment, "How loud.");
    assert_eq!(growl.args[1].comment, "How long.");
    let monster = registry.agent("monster").unwrap();
    assert_eq!(monster.property("hp").unwrap().item.brief, "Hit points.");
}

use bt_core::prelude::*;

/// An animal.
#[derive(Agent)]
#[agent(name = "beast", namespace = "game::npc", display = "怪物", category = "npc")]
#[agent(since = "1.2", alias = ["monster"], meta(icon = "skull", tint = 0xff, weights = [1.5, -2], big))]
struct Monster;

#[derive(Agent)]
#[agent(no_base)]
struct Npc;

fn main() {
    let registry = Registry::global().unwrap();
    assert_eq!(registry.agent("game::npc::beast").unwrap().entry().item.meta["tint"], 255);
    assert!(registry.agent("npc").unwrap().base().is_none());
}

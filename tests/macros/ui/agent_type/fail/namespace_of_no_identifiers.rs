use bt_core::prelude::*;

#[derive(Agent)]
#[agent(namespace = "game.npc")]
struct Monster;

#[derive(Agent)]
#[agent(namespace = "")]
struct Npc;

fn main() {}

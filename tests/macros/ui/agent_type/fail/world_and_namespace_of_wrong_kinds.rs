use bt_core::prelude::*;

#[derive(Agent)]
#[agent(namespace = game::npc, display = 7, alias = "beast", meta = "x")]
struct Monster;

fn main() {}

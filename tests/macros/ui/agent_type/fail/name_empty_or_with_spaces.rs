use bt_core::prelude::*;

#[derive(Agent)]
#[agent(name = "")]
struct Monster;

#[derive(Agent)]
#[agent(name = " npc")]
struct Npc;

fn main() {}

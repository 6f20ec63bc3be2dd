use bt_core::prelude::*;

#[derive(Agent)]
#[agent(name = "monster", name = "beast")]
struct Monster;

#[derive(Agent)]
#[agent(display = "Npc")]
#[agent(display = "Person")]
struct Npc;

fn main() {}

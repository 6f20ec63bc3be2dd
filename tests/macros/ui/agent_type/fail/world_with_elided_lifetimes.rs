use bt_core::prelude::*;

struct Level;
struct Commands<'w>(&'w mut Level);

#[derive(Agent)]
#[agent(world = &Level)]
struct Monster;

#[derive(Agent)]
#[agent(world = Commands<'_>)]
struct Npc;

fn main() {}

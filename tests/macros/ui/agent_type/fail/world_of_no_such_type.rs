use bt_core::prelude::*;

#[derive(Agent)]
#[agent(world = GameWorld)]
struct Monster;

fn main() {}

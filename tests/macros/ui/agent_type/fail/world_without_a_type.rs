use bt_core::prelude::*;

#[derive(Agent)]
#[agent(world)]
struct Monster;

fn main() {}

use bt_core::prelude::*;

#[derive(Agent)]
#[agent(name = "game::monster")]
struct Monster;

fn main() {}

use bt_core::prelude::*;

#[derive(Agent)]
#[agent(nmae = "monster", colour = "red")]
struct Monster;

fn main() {}

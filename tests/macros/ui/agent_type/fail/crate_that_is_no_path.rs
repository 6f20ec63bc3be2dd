use bt_core::prelude::*;

#[derive(Agent)]
#[agent(crate = "engine bt")]
struct Monster;

fn main() {}

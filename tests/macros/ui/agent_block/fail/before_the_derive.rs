use bt_core::prelude::*;

#[agent(name = "beast")]
#[derive(Agent)]
struct Monster;

fn main() {}

use bt_core::prelude::*;

#[derive(Agent)]
#[agent(no_base = true)]
struct Monster;

fn main() {}

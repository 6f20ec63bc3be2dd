use bt_core::prelude::*;

#[derive(Agent)]
#[agent(part = 1)]
struct Monster;

fn main() {}

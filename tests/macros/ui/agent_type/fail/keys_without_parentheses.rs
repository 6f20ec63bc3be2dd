use bt_core::prelude::*;

#[derive(Agent)]
#[agent = "monster"]
struct Monster;

fn main() {}

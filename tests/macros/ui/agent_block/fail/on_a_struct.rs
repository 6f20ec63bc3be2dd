use bt_core::prelude::*;

#[agent(world = u8)]
struct Monster;

fn main() {}

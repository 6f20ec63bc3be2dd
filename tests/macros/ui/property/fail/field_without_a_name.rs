use bt_core::prelude::*;

#[derive(Agent)]
struct Monster(#[property] i32);

fn main() {}

use bt_core::prelude::*;

#[derive(Agent)]
#[property(min = 0)]
struct Monster {
    hp: i32,
}

fn main() {}

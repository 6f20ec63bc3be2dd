use bt_core::prelude::*;

#[derive(Agent)]
struct Monster {
    #[property(set)]
    hp: i32,
}

fn main() {}

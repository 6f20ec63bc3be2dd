use bt_core::prelude::*;

#[derive(Agent)]
struct Monster {
    #[property]
    hp: i32,
    #[property(name = "hp")]
    health: i32,
}

fn main() {}

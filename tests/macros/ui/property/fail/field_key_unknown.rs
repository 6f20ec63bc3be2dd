use bt_core::prelude::*;

#[derive(Agent)]
struct Monster {
    #[property(mni = 0, default = 7)]
    hp: i32,
}

fn main() {}

use bt_core::prelude::*;

#[derive(Agent)]
struct Monster {
    #[property(max = 7)]
    title: String,
}

fn main() {}

use bt_core::prelude::*;

#[agent]
enum Monster {
    Asleep,
}

fn main() {}

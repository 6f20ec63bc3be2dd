use bt_core::prelude::*;

#[derive(Agent)]
union Monster {
    hp: u32,
    id: u32,
}

fn main() {}

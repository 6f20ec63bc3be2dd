use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

trait Fights {
    type Weapon;
}

#[agent]
impl Fights for Monster {
    #[property]
    type Weapon = u8;
}

fn main() {}

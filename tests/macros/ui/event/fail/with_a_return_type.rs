use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[event]
    fn collided(other: u64) -> bool;
}

fn main() {}

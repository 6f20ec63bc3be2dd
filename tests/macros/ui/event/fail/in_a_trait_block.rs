use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

trait Fights {}

#[agent]
impl Fights for Monster {
    #[event]
    fn collided(other: u64);
}

fn main() {}

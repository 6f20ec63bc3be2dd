use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[event(prioirty = 1)]
    fn collided(other: u64);
}

fn main() {}

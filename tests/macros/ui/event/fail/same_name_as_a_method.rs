use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[event]
    fn collided(other: u64);

    #[action]
    fn collided(&self) {}
}

fn main() {}

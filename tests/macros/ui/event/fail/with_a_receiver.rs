use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[event]
    fn collided(&self, other: u64);
}

fn main() {}

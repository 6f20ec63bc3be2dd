use bt_core::prelude::*;

#[derive(Agent)]
#[agent(world = Vec<u8>)]
struct Monster;

#[agent]
impl Monster {
    #[query]
    fn distance_to(&self, _target: u64) {}
}

fn main() {}

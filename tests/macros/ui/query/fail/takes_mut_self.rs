use bt_core::prelude::*;

#[derive(Agent)]
#[agent(world = Vec<u8>)]
struct Monster;

#[agent]
impl Monster {
    #[query]
    fn distance_to(&mut self, _target: u64) -> f64 {
        0.0
    }
}

fn main() {}

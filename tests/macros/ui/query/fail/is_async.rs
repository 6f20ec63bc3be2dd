use bt_core::prelude::*;

#[derive(Agent)]
#[agent(world = Vec<u8>)]
struct Monster;

#[agent]
impl Monster {
    #[query]
    async fn distance_to(&self) -> f64 {
        0.0
    }
}

fn main() {}

use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    const LOUDNESS: f64 = 1.0;
}

fn main() {}

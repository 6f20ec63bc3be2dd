use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[property(set)]
    const SIGHT: f64 = 30.0;
}

fn main() {}

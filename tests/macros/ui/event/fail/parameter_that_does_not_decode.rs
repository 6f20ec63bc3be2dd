use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Point {
    x: f64,
}

#[agent]
impl Monster {
    #[event]
    fn collided(point: &Point);
}

fn main() {}

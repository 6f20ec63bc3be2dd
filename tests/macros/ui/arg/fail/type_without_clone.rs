use bt_core::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Agent)]
struct Monster;

#[derive(Deserialize, JsonSchema)]
struct Point;

#[agent]
impl Monster {
    #[action]
    fn go(&self, to: Point) {
        let Point = to;
    }
}

fn main() {}

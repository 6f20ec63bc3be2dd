use bt_core::prelude::*;
use schemars::JsonSchema;

#[derive(Agent)]
struct Monster;

#[derive(Clone, JsonSchema)]
struct Point;

#[agent]
impl Monster {
    #[action]
    fn go(&self, to: Point) {
        let Point = to;
    }
}

fn main() {}

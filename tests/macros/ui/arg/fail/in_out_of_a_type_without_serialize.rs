use bt_core::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Agent)]
struct Monster;

#[derive(Clone, Deserialize, JsonSchema)]
struct Point;

#[agent]
impl Monster {
    #[action]
    fn go(&self, to: &mut Point) {
        *to = Point;
    }
}

fn main() {}

use bt_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Agent)]
struct Monster;

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
enum Side {
    Left,
}

#[agent]
impl Monster {
    #[action]
    fn find(&self, #[arg(out)] found: &mut Side) {
        *found = Side::Left;
    }
}

fn main() {}

use bt_core::prelude::*;
use serde::Deserialize;

#[derive(Agent)]
struct Monster;

#[derive(Clone, Deserialize)]
struct Point;

#[agent]
impl Monster {
    #[action]
    fn go(&self, to: &Point) {
        let Point = to;
    }
}

fn main() {}

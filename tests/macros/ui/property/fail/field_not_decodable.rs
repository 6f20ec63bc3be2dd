use bt_core::prelude::*;

struct Point;

#[derive(Agent)]
struct Monster {
    #[property]
    at: Point,
}

fn main() {}

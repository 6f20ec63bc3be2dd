use bt_core::prelude::*;

struct Point;

#[derive(Agent)]
struct Monster {
    #[property(read_only)]
    at: Point,
}

fn main() {}

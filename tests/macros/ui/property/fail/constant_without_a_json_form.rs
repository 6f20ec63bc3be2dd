use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

struct Point;

#[agent]
impl Monster {
    #[property]
    const AT: Point = Point;
}

fn main() {}

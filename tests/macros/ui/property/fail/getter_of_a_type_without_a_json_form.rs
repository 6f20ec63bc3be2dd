use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

struct Point;

#[agent]
impl Monster {
    #[property]
    fn at(&self) -> Point {
        Point
    }
}

fn main() {}

use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

struct Point;

#[agent]
impl Monster {
    #[event]
    fn collided(other: Point);
}

fn main() {}

use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

struct Point;

#[agent]
impl Monster {
    #[action]
    fn go(&self, to: Point, past: &Point, at: Vec<Point>) {
        let (Point, Point, _) = (to, past, at);
    }
}

fn main() {}

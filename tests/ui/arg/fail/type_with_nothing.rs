use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

struct Point;

#[agent]
impl Monster {
    #[action]
    fn go(&self, to: Point, past: &Point, over: &[Point], into: &mut Point) {
        let (Point, Point, [..], Point) = (to, past, over, into);
    }
}

fn main() {}

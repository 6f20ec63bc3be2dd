use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

struct Point;

#[agent]
impl Monster {
    #[action]
    fn go(&self, over: &[Point]) {
        let _ = over;
    }
}

fn main() {}

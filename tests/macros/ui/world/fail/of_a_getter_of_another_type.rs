use bt_core::prelude::*;

struct Land;
struct Sea;

#[derive(Agent)]
#[agent(world = Land)]
struct Monster;

#[agent]
impl Monster {
    #[property]
    fn hp(&self, #[world] world: &Sea) -> i32 {
        let _ = world;
        7
    }
}

fn main() {}

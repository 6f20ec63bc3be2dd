use bt_core::prelude::*;

struct Land;

#[derive(Agent)]
#[agent(world = Land)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn dig(&self, #[world(mut)] world: &mut Land) {
        let _ = world;
    }
}

fn main() {}

use bt_core::prelude::*;

struct Land;

#[derive(Agent)]
#[agent(world = Land)]
struct Monster;

#[agent]
impl Monster {
    fn dig(&self, #[world] world: &mut Land) {
        let _ = world;
    }
}

fn main() {}

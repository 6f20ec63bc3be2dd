use bt_core::prelude::*;

struct Land;

#[derive(Agent)]
#[agent(world = Land)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn dig(&self, #[world] world: &mut Land, #[world] again: &Land) {
        let _ = (world, again);
    }
}

fn main() {}

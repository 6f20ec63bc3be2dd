use bt_core::prelude::*;

struct Land;
struct Sea;

#[derive(Agent)]
#[agent(world = Land)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn dig(&self, #[world] world: &mut Sea) {
        let _ = world;
    }

    #[action]
    fn look(&self, #[world] world: &Sea) {
        let _ = world;
    }
}

fn main() {}

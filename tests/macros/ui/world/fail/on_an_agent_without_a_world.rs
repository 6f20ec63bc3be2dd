use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

struct Land;

#[agent]
impl Monster {
    #[action]
    fn dig(&self, #[world] world: &mut Land) {
        let _ = world;
    }
}

fn main() {}

use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent(world = u8, name = "beast")]
impl Monster {
    #[action]
    fn growl(&self) {}
}

fn main() {}

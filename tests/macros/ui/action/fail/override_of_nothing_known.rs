use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action(overide)]
    fn growl(&self) {}
}

fn main() {}

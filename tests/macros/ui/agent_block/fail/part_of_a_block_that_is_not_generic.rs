use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent(part = 1)]
impl Monster {
    #[action]
    fn growl(&self) {}
}

fn main() {}

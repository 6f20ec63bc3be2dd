use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn growl(&self) {}
}

#[agent]
impl Monster {
    #[action(alias = ["growl"])]
    fn roar(&self) {}
}

fn main() {}

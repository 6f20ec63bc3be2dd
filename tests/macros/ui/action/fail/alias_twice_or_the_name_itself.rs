use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action(alias = ["roar", "roar"])]
    fn growl(&self) {}

    #[action(alias = ["bark"])]
    fn bark(&self) {}
}

fn main() {}

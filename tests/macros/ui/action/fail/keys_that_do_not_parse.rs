use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action(name = )]
    fn growl(&self) {}

    #[action(name = "a" category = "b")]
    fn roar(&self) {}
}

fn main() {}

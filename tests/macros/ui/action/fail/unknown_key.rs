use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action(catgory = "noise")]
    fn growl(&self) {}

    #[action(colour = "red")]
    fn roar(&self) {}
}

fn main() {}

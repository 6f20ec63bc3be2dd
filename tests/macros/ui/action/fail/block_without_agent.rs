use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

impl Monster {
    #[action(category = "noise")]
    fn growl(&self) {}
}

fn main() {}

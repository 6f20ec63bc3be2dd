use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action(category = "noise", category = "voice")]
    fn growl(&self) {}
}

fn main() {}

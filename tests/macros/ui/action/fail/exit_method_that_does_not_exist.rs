use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action(exit = "hushed")]
    fn growl(&self) -> Option<bool> {
        None
    }
}

fn main() {}

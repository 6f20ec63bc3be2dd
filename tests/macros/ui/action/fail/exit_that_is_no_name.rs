use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action(exit = "self.hush()")]
    fn growl(&self) -> Option<bool> {
        None
    }

    #[action(exit = hush)]
    fn roar(&self) -> Option<bool> {
        None
    }
}

fn main() {}

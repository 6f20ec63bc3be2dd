use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action(exit = "hush")]
    fn growl(&self) -> Option<bool> {
        None
    }

    fn hush(&mut self, _cx: &mut Context, _exit: Exit) -> u32 {
        7
    }
}

fn main() {}

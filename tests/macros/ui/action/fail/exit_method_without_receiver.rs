use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action(exit = "hush")]
    fn growl(&self) -> Option<bool> {
        None
    }

    fn hush(cx: &mut Context, exit: Exit) {
        let _ = (cx, exit);
    }
}

fn main() {}

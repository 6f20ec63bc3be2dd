use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action(exit = "hush")]
    fn growl(&mut self, times: u32) -> Option<bool> {
        let _ = times;
        None
    }

    fn hush(&mut self, _cx: &mut Context, _exit: Exit, times: i64) {
        let _ = times;
    }
}

fn main() {}

use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action(exit = "hush")]
    fn growl(&mut self, times: u32, loud: bool) -> Option<bool> {
        let _ = (times, loud);
        None
    }

    fn hush(&mut self, _cx: &mut Context, _exit: Exit, volume: f64) {
        let _ = volume;
    }
}

fn main() {}

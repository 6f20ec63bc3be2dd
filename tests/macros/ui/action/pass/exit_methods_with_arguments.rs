use bt_core::prelude::*;

#[derive(Agent)]
#[agent(world = u32)]
struct Monster;

#[agent]
impl Monster {
    #[action(exit = "hush")]
    fn growl(&mut self, times: u32, at: &str, #[arg(default = 0.5)] volume: f64) -> Option<bool> {
        let _ = (times, at, volume);
        None
    }

    // Some of them, by their names, in any order, by value or by `&`.
    fn hush(&mut self, _cx: &mut Context, #[world] _w: &u32, _exit: Exit, _volume: f64, at: &str) {
        let _ = at;
    }
}

fn main() {
    Registry::global().unwrap();
}

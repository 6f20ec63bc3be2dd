use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action(exit = "hush")]
    fn growl(&mut self, at: (f64, f64)) -> Option<bool> {
        let _ = at;
        None
    }

    fn hush(&mut self, _cx: &mut Context, _exit: Exit, (x, y): (f64, f64)) {
        let _ = (x, y);
    }
}

fn main() {}

use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn chase(&self, #[arg(default = -1.0, min = 0.0)] range: f64, #[arg(default = 9, max = 7)] id: u64) {
        let _ = (range, id);
    }
}

fn main() {}

use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn chase(&self, #[arg(default = 2)] range: f64, #[arg(default = "7")] target: u64) {
        let _ = (range, target);
    }
}

fn main() {}

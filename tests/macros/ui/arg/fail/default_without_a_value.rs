use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn chase(&self, #[arg(default)] range: f64, #[arg(choices(1, 2))] target: u64) {
        let _ = (range, target);
    }
}

fn main() {}

use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn chase(&self, #[arg(step = 0.0)] range: f64) {
        let _ = range;
    }
}

fn main() {}

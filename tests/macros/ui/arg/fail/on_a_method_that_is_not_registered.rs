use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    fn chase(&self, #[arg(min = 1.0)] range: f64) {
        let _ = range;
    }
}

fn main() {}

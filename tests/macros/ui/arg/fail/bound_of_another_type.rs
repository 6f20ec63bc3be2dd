use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn chase(&self, #[arg(min = 0)] range: f64) {
        let _ = range;
    }
}

fn main() {}

use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn walk(&self, #[default = 2.0] far: f64, #[out] steps: &mut u64, #[min(1)] times: u8) {
        let _ = (far, steps, times);
    }

    #[action]
    #[arg(far, min = 1.0)]
    fn run(&self, far: f64) {
        let _ = far;
    }
}

fn main() {}

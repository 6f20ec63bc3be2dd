use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn chase(&self, #[arg(name = "")] range: f64, #[arg(name = range)] far: f64) {
        let _ = (range, far);
    }
}

fn main() {}

use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn chase(&self, #[arg(defualt = 1.0, colour = "red")] range: f64) {
        let _ = range;
    }
}

fn main() {}

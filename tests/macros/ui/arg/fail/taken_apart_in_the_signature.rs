use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn chase(&self, (x, y): (f64, f64), ref z: f64) {
        let _ = (x, y, z);
    }
}

fn main() {}

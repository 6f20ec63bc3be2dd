use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn chase(&self, target: u64, #[arg(name = "target")] id: u64, #[arg(alias = ["target"])] other: u64) {
        let _ = (target, id, other);
    }
}

fn main() {}

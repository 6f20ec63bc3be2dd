use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn find(&self, #[arg(out)] found: u64, #[arg(out)] near: &u64) {
        let _ = (found, near);
    }
}

fn main() {}

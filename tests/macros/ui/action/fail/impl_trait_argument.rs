use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn growl(&self, at: impl Into<u64>) {
        let _ = at;
    }

    #[action]
    fn roar(&self, at: &[impl Into<u64>]) {
        let _ = at;
    }
}

fn main() {}

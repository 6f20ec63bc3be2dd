use bt_core::prelude::*;

struct Monster;

#[agent]
impl Monster {
    #[action]
    fn growl(&self) {}

    #[action]
    fn chase(&self, target: u64) -> bool {
        target > 0
    }
}

fn main() {}

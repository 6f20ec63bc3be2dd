use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[property]
    fn hp(&self, at: u64) -> u64 {
        at
    }
}

fn main() {}

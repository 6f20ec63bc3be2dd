use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    #[condition]
    fn sees(&self) -> bool {
        true
    }
}

fn main() {}

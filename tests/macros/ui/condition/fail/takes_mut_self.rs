use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[condition]
    fn sees(&mut self) -> bool {
        true
    }
}

fn main() {}

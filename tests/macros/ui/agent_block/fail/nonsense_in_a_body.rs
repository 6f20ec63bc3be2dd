use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn chase(&mut self, target: u64) -> bool {
        let = ;
    }

    #[condition]
    fn sees(&self) -> bool {
        true
    }
}

fn main() {}

use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[condition(colour = "red")]
    fn sees(&self) -> bool {
        true
    }
}

fn main() {}

use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[condition(exit = "left")]
    fn sees(&self) -> bool {
        true
    }

    #[condition(resume = "again")]
    fn hears(&self) -> bool {
        true
    }
}

fn main() {}

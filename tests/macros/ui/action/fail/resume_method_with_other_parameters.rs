use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action(resume = "again")]
    fn growl(&self) -> Option<bool> {
        None
    }

    fn again(&mut self, kept: u32) -> Option<bool> {
        Some(kept > 0)
    }
}

fn main() {}

use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[condition]
    fn sees(&self) {}
}

fn main() {}

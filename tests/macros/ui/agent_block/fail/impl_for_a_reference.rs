use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

trait Fights {
    fn strike(&self) {}
}

#[agent]
impl Fights for &Monster {
    #[action]
    fn strike(&self) {}
}

fn main() {}

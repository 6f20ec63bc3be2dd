use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    extern "C" fn growl(&self) {}
}

fn main() {}

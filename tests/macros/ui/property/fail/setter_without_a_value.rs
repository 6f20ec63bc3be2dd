use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[property(set)]
    fn set_hp(&mut self) {}
}

fn main() {}

use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[event]
    fn collided(#[world] world: &mut u8);
}

fn main() {}

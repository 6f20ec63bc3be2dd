use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[event]
    fn collided(#[arg(default = 7)] other: u64);
}

fn main() {}

use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[event]
    fn collided(other: &mut u64, #[arg(out)] far: &mut f64);
}

fn main() {}

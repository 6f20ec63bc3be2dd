use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[event]
    fn collided<T>(other: T);
}

fn main() {}

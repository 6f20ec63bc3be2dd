use bt_core::prelude::*;

#[derive(Agent)]
struct Actor;

#[derive(Agent)]
struct Monster {
    #[agent(bsae)]
    actor: Actor,
    #[agent]
    other: Actor,
}

fn main() {}

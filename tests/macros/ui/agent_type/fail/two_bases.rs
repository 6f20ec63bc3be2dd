use bt_core::prelude::*;

#[derive(Agent)]
struct Actor;

#[derive(Agent)]
struct Monster {
    #[agent(base)]
    actor: Actor,
    #[agent(base)]
    other: Actor,
}

fn main() {}

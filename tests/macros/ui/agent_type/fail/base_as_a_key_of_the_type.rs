use bt_core::prelude::*;

#[derive(Agent)]
struct Actor;

#[derive(Agent)]
#[agent(base = Actor)]
struct Monster {
    actor: Actor,
}

fn main() {}

use bt_core::prelude::*;

#[derive(Agent)]
struct Actor;

#[derive(Agent)]
#[agent(no_base)]
struct Monster {
    #[agent(base)]
    actor: Actor,
}

fn main() {}

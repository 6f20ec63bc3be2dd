use bt_core::prelude::*;

struct Actor;

#[derive(Agent)]
struct Monster {
    #[agent(base)]
    actor: Actor,
}

fn main() {}

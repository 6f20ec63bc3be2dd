use bt_core::prelude::*;

#[derive(Agent)]
struct Actor;

#[derive(Agent)]
struct Monster {
    #[base]
    actor: Actor,
}

fn main() {}

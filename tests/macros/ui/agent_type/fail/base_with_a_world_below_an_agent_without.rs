use bt_core::prelude::*;

struct Land;

#[derive(Agent)]
#[agent(world = Land)]
struct Actor;

#[derive(Agent)]
struct Monster {
    #[agent(base)]
    actor: Actor,
}

fn main() {}

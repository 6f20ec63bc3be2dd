use bt_core::prelude::*;

struct Sea;
struct Land;

#[derive(Agent)]
#[agent(world = Sea)]
struct Actor;

#[derive(Agent)]
#[agent(world = Land)]
struct Monster {
    #[agent(base)]
    actor: Actor,
}

fn main() {}

use bt_core::prelude::*;

#[derive(Agent)]
struct Actor;

#[derive(Agent)]
enum Monster {
    Asleep(#[agent(base)] Actor),
    Awake {
        #[property]
        hp: i32,
    },
}

fn main() {}

use bt_core::prelude::*;

#[derive(Agent)]
struct Actor(#[property(name = "id")] u64);

#[derive(Agent)]
struct Monster(#[property(name = "hp", min = 0)] i32, #[agent(base)] Actor);

fn main() {
    let _ = Monster(7, Actor(1));
    assert_eq!(Registry::global().unwrap().agent("monster").unwrap().base().unwrap().name(), "actor");
}

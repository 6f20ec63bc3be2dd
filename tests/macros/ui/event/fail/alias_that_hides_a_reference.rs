use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

type Name = &'static str;

#[agent]
impl Monster {
    #[event]
    fn called(by: Name);
}

fn main() {}

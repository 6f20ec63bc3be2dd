use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action(name = "")]
    fn a(&self) {}

    #[action(name = "b ")]
    fn b(&self) {}

    #[action(name = "c\n")]
    fn c(&self) {}

    #[action(alias = [""])]
    fn d(&self) {}
}

fn main() {}

use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action(name = growl)]
    fn a(&self) {}

    #[action(category)]
    fn b(&self) {}

    #[action(alias = "beast")]
    fn c(&self) {}

    #[action(alias = ["x", 7])]
    fn d(&self) {}

    #[action(meta = "x")]
    fn e(&self) {}

    #[action(override = true)]
    fn f(&self) {}

    #[action(override(all))]
    fn g(&self) {}

    #[action(alias)]
    fn h(&self) {}
}

fn main() {}

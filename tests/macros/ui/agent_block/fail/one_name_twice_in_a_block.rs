use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn growl(&self) {}

    #[action(name = "growl")]
    fn roar(&self) {}

    #[condition(alias = ["growl"])]
    fn loud(&self) -> bool {
        true
    }
}

fn main() {}

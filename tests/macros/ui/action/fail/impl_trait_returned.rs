use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn growl(&self) -> impl Into<bool> {
        true
    }
}

fn main() {}

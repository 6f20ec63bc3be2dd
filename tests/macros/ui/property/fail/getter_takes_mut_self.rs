use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[property]
    fn hp(&mut self) -> i32 {
        7
    }
}

fn main() {}

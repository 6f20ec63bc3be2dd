use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[property]
    fn hp(&self) -> i32 {
        7
    }

    #[property(name = "hp")]
    fn health(&self) -> i32 {
        7
    }
}

fn main() {}

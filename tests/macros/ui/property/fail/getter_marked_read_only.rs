use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[property(read_only)]
    fn hp(&self) -> i32 {
        7
    }
}

fn main() {}

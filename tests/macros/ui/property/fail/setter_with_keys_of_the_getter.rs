use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[property]
    fn hp(&self) -> i32 {
        7
    }

    #[property(set, display = "Health", alias = ["health"])]
    fn set_hp(&mut self, hp: i32) {
        let _ = hp;
    }
}

fn main() {}

use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[property]
    fn hp(&self) -> i32 {
        7
    }

    #[property(set)]
    fn set_hp(&mut self, hp: i32, #[arg(out)] before: &mut i32) {
        *before = hp;
    }
}

fn main() {}

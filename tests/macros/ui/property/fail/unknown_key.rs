use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[property(mni = 0)]
    fn hp(&self) -> i32 {
        0
    }

    #[property(set, unti = "hp")]
    fn set_hp(&mut self, _hp: i32) {}
}

fn main() {}

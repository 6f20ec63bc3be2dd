use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[property(set)]
    fn heal(&mut self, hp: i32) {
        let _ = hp;
    }
}

fn main() {}

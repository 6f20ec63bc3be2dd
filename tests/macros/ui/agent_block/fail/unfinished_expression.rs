use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn chase(&mut self) -> bool {
        self.hp.
    }
}

fn main() {}

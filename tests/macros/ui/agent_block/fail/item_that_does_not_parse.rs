use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn chase(&mut self, target) -> bool {
        true
    }

    #[action(colour = "red")]
    fn growl(&self) {}
}

fn main() {}

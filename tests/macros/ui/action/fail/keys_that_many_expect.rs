use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action(description = "Bites.")]
    fn bite(&self, #[arg(range = 0..3)] hard: u8, #[arg(optional)] whom: u64) {
        let _ = (hard, whom);
    }

    #[action("growl")]
    fn growl(&self) {}
}

fn main() {}

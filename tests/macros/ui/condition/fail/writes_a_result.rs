use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[condition]
    fn sees(&self, #[arg(out)] whom: &mut u64) -> bool {
        *whom = 7;
        true
    }
}

fn main() {}

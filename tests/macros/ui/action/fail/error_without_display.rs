use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

struct Silent;

#[agent]
impl Monster {
    #[action]
    fn growl(&self) -> Result<bool, Silent> {
        Err(Silent)
    }
}

fn main() {}

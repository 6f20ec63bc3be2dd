use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    async fn growl(&self) -> bool {
        true
    }
}

fn main() {}

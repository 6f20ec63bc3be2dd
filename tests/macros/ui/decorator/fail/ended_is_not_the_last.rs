use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[decorator]
    fn twice(&mut self, ended: Option<bool>, limit: u32) -> Next {
        let _ = (ended, limit);
        Next::Run
    }
}

fn main() {}

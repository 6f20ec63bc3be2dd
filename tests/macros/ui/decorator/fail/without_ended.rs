use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[decorator]
    fn twice(&mut self, limit: u32) -> Next {
        let _ = limit;
        Next::Run
    }
}

fn main() {}

use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[decorator]
    fn twice(&mut self, ended: bool) -> Next {
        let _ = ended;
        Next::Run
    }
}

fn main() {}

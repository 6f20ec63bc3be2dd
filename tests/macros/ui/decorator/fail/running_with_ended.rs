use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[decorator(running)]
    fn twice(&mut self, ended: Option<bool>) -> Next {
        let _ = ended;
        Next::Run
    }
}

fn main() {}

use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[decorator]
    fn twice(&mut self, ended: Option<bool>) -> bool {
        ended.is_none()
    }
}

fn main() {}

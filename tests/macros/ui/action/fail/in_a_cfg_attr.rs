use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[cfg_attr(all(), action)]
    fn growl(&self) {}
}

fn main() {}

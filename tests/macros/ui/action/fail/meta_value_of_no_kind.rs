use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action(meta(icon = path::to::icon, role(server), tint = 1, tint = 2, broken =))]
    fn growl(&self) {}

    #[action(meta(icon = path::to::icon, role(server), tint = 1, tint = 2))]
    fn roar(&self) {}
}

fn main() {}

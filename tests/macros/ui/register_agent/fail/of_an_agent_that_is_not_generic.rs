use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

register_agent!(Monster);

fn main() {}

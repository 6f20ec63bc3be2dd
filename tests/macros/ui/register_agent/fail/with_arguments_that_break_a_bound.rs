use bt_core::prelude::*;

#[derive(Agent)]
struct Walker<T: Copy>(T);

register_agent!(Walker<String>);

fn main() {}

use bt_core::prelude::*;

#[derive(Agent)]
struct Walker<T>(T);

register_agent!(Walker<u8> name = "walker");

fn main() {}

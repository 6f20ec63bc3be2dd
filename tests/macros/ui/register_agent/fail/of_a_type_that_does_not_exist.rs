use bt_core::prelude::*;

#[derive(Agent)]
struct Walker<T>(T);

register_agent!(Walker<Gras>);

fn main() {}

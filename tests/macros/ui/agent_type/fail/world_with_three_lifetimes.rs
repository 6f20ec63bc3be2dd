use bt_core::prelude::*;

struct Commands<'w, 's, 'x>(&'w u8, &'s u8, &'x u8);

#[derive(Agent)]
#[agent(world = Commands<'w, 's, 'x>)]
struct Monster;

fn main() {}

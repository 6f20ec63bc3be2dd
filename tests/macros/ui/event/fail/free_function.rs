use bt_core::prelude::*;

#[event]
fn collided();

fn main() {}

use bt_core::prelude::*;

#[action]
fn growl() {}

fn main() {}

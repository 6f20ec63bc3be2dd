use bt_core::prelude::*;

#[agent]
fn chase() -> bool {
    true
}

fn main() {}

use bt_core::prelude::*;

#[condition]
fn sees() -> bool {
    true
}

fn main() {}

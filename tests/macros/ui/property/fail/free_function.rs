use bt_core::prelude::*;

#[property]
fn hp() -> i32 {
    7
}

fn main() {}

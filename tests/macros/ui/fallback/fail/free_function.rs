use bt_core::prelude::*;

#[fallback]
fn anything() -> Option<bool> {
    None
}

fn main() {}

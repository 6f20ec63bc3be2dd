use bt_core::prelude::*;

#[query]
fn distance() -> f64 {
    0.0
}

fn main() {}

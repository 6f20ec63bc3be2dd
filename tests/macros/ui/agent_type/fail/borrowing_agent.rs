use bt_core::prelude::*;

#[derive(Agent)]
struct Monster<'a> {
    name: &'a str,
}

fn main() {}

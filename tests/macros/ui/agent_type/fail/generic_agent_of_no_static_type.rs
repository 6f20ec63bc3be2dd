use bt_core::prelude::*;

struct Holder<T>(T);

#[derive(Agent)]
struct Walker<T> {
    holder: Holder<T>,
}

register_agent!(Walker<&'a str>);

fn main() {}

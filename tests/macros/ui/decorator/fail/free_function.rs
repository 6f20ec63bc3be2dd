use bt_core::prelude::*;

#[decorator]
fn twice(_ended: Option<bool>) -> Next {
    Next::Run
}

fn main() {}

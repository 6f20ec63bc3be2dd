use bt_core::prelude::*;

#[decorator]
fn twice(ended: Option<bool>) -> Next {
    Next::Run
}

fn main() {}

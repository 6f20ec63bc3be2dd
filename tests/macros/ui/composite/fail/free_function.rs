use bt_core::prelude::*;

#[composite]
fn first(asked: Asked) -> NextChild {
    let _ = asked;
    NextChild::Run(0)
}

fn main() {}

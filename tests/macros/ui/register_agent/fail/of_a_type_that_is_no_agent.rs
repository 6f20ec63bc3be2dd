use bt_core::prelude::*;

struct Rock;

register_agent!(Rock);

fn main() {}

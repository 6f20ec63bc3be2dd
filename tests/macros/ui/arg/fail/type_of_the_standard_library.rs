use std::time::Instant;

use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn wait_until(&self, time: Instant) -> bool {
        time > Instant::now()
    }
}

fn main() {}

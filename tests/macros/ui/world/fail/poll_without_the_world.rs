use bt_core::prelude::*;
use bt_core::Runner;
use std::time::Duration;

struct Land;

#[derive(Agent)]
#[agent(world = Land)]
struct Monster;

fn poll(runner: &mut Runner<Monster>, monster: &mut Monster) {
    runner.poll(monster, Duration::ZERO);
    runner.stop(monster, Duration::ZERO);
}

fn main() {}

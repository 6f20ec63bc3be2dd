//! Whatever goes wrong in an agent, and whatever a host asks for: see `bt_tests::chaos`. `--bin chaos`
//! plays more. `BT_SEED=7 cargo test …` plays one.

use bt_tests::chaos::{Chaos, explain};

#[test]
fn runner_keeps_every_rule_in_chaos() {
    let one = std::env::var("BT_SEED").ok();
    let one = one.and_then(|seed| seed.parse::<u64>().ok());
    for seed in one.map_or(0..2000, |seed| seed..seed + 1) {
        let chaos = Chaos::of(seed);
        if let Err(fault) = chaos.run() {
            panic!("BT_SEED={seed} fails:\n{}", explain(&chaos, &fault));
        }
    }
}

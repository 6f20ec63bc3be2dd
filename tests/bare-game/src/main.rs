//! A game without bt-core's default features: it registers an agent, builds a tree and polls it.

use std::error::Error;
use std::time::Duration;

use bt_core::prelude::*;
use bt_core::{Mode, Runner, TreeAsset, TreeSet};

/// Who carries water.
#[derive(Agent, Default)]
#[agent(name = "bare_porter")]
struct Porter {
    buckets: u32,
}

#[agent]
impl Porter {
    /// Carries a bucket.
    #[action]
    fn carry(&mut self, buckets: u32) {
        self.buckets += buckets;
    }
}

const CARRY: &str = r#"{"nodes": [
    {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "bare_porter"}},
    {"idx": 1, "type": "sequence", "children": [2, 3, 4], "extra": {}},
    {"idx": 2, "type": "action", "children": [], "extra": {"action_name": "nop"}},
    {"idx": 3, "type": "action", "children": [], "extra": {"action_name": "wait_for_seconds",
        "action_args": [{"arg_type": "plain", "arg_value": 2}]}},
    {"idx": 4, "type": "action", "children": [], "extra": {"action_name": "carry",
        "action_args": [{"arg_type": "plain", "arg_value": 3}]}}
]}"#;

fn main() -> Result<(), Box<dyn Error>> {
    println!("{} buckets", carried()?);
    Ok(())
}

/// How many buckets a porter has carried after two polls.
fn carried() -> Result<u32, Box<dyn Error>> {
    let mut trees = TreeSet::<Porter>::new();
    trees.add(TreeAsset::from_json("carry.json", CARRY)?);
    let mut runner = Runner::new(&trees.build()?, "carry.json")?.mode(Mode::Once);
    let mut porter = Porter::default();
    runner.start();
    for seconds in [10, 12] {
        runner.poll(&mut porter, Duration::from_secs(seconds));
    }
    Ok(porter.buckets)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_game_without_default_features_runs_a_tree() {
        assert_eq!(super::carried().unwrap(), 3);
    }
}

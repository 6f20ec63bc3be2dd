//! A game without bt-core's default features: it registers an agent, builds a tree and polls it.

use std::error::Error;
use std::time::Duration;

use bt_core::prelude::*;
use bt_core::{Mode, Runner, TreeAsset, TreeSet};

/// An agent that carries water.
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

/// The number of buckets that a porter has carried after two polls.
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

#[cfg(all(test, unix))]
mod symbols {
    /// The number of times that the symbols of a program name a module: they have each part of its path
    /// behind the part's length.
    fn named(program: &[u8], module: &str) -> usize {
        let part = |part: &str| format!("{}{part}", part.len());
        // Made here: the program would have a literal in it.
        let symbol: String = module.split("::").map(part).collect();
        let windows = program.windows(symbol.len());
        windows.filter(|at| *at == symbol.as_bytes()).count()
    }

    #[test]
    #[ignore = "beside other packages of the workspace it would get their features"]
    fn debugger_is_linked_with_its_feature_alone() {
        let program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        // Without the feature a small file stands for `run::debug`: it has no module `stop`.
        for module in ["debug", "run::debug::stop", "run::state::debugger"] {
            let times = named(&program, &format!("bt_core::{module}"));
            assert_eq!(times > 0, cfg!(feature = "debug"), "{module}: {times}");
        }
        assert!(named(&program, "bt_core::run") > 0, "symbols are there");
    }
}

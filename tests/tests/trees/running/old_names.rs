//! Events that were renamed: trees that say the old names, and hosts that fire them.

use std::time::Duration;

use bt_core::prelude::*;
use bt_core::tree::asset::spec::{sequence, wait_event};
use bt_core::{Runner, TreeAsset, TreeSet};
use serde_json::json;

#[derive(Agent)]
struct Gate;

#[agent]
impl Gate {
    /// Somebody knocked.
    #[event(alias = ["knock"])]
    fn knocked(#[arg(alias = ["who"])] by: u64);
}

#[test]
fn an_event_is_known_by_its_old_name_and_so_are_its_parameters() {
    let old = wait_event("knock").extra("params", json!({"who": "visitor"}));
    let new = wait_event("knocked").extra("params", json!({"by": "visitor"}));
    let mut trees = TreeSet::<Gate>::new();
    trees.add(TreeAsset::build("gate", "gate", sequence([old, new])));
    let trees = trees.build().unwrap();
    let said: Vec<_> = trees.warnings().iter().map(ToString::to_string).collect();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(
        said[0].contains("`knock` is now called `knocked`"),
        "{said:?}"
    );
    assert!(said[1].contains("`who` is now called `by`"), "{said:?}");

    let mut runner = Runner::new(&trees, "gate").unwrap();
    runner.start();
    runner.poll(&mut Gate, Duration::ZERO);
    runner.fire(Gate::knocked(7));
    runner.poll(&mut Gate, Duration::ZERO);
    assert_eq!(runner.blackboard().get("visitor"), 7);
    assert_eq!(runner.active_leaves()[0].name, "knocked");
    // Fired under the old name, by a host that was not told.
    runner.fire(Event::new("knock").with("by", 8));
    runner.poll(&mut Gate, Duration::ZERO);
    assert_eq!(runner.blackboard().get("visitor"), 8);
    assert_eq!(runner.active_leaves()[0].name, "knock", "from the start");
}

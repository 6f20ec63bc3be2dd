//! The tree and the agent fit each other. Run this whenever either of them changes.

use std::collections::BTreeSet;
use std::time::Duration;

use bt_core::{Registry, Runner};

use my_game::{Guard, Place, ROUNDS, rounds, trees};

/// Every action, condition, key, event and argument in the tree is there and of the right type.
#[test]
fn the_tree_is_one_that_a_guard_can_run() {
    let trees = trees().unwrap_or_else(|problems| panic!("{problems}"));
    assert!(trees.warnings().is_empty(), "{:?}", trees.warnings());
}

/// Trees know the agent by these names. To change one and keep old trees, leave the old one as an
/// `alias`.
#[test]
fn the_tree_uses_every_name_that_the_agent_exports() {
    let registry = Registry::global().unwrap_or_else(|error| panic!("{error}"));
    let guard = registry.agent("guard").unwrap().entry();
    let methods = guard.methods.iter().map(|method| &method.item.name);
    let events = guard.events.iter().map(|event| &event.item.name);
    let exported: BTreeSet<&str> = methods.chain(events).map(String::as_str).collect();
    assert_eq!(
        exported,
        BTreeSet::from(["is_tired", "noise", "rest", "walk_to"])
    );
    assert_eq!(guard.properties[0].item.name, "stamina");

    let tree = rounds().unwrap().to_json();
    for name in exported {
        assert!(tree.contains(&format!("\"{name}\"")), "`{name}`");
    }
}

#[test]
fn a_guard_looks_where_a_noise_comes_from_and_goes_back_to_its_rounds() {
    let trees = trees().unwrap();
    let mut runner = Runner::new(&trees, ROUNDS).unwrap();
    let mut guard = Guard::new();
    let mut poll = |runner: &mut Runner<Guard>, seconds| {
        runner.poll(&mut guard, Duration::from_secs(seconds));
        guard.place
    };
    runner.start();
    assert_eq!(poll(&mut runner, 0), Place::Tower);
    runner.fire(Guard::noise(Place::Kitchen));
    assert_eq!(poll(&mut runner, 1), Place::Kitchen);
    assert_eq!(poll(&mut runner, 3), Place::Tower);
    assert!(runner.diagnostics().is_empty());
}

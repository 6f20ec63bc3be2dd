//! The tree and the agent fit each other. Run this whenever either of them changes.

use std::fs;
use std::time::Duration;

use bt_core::scenario::{Player, Scenario};
use bt_core::{Registry, Runner, TreeSet};

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
fn names_that_trees_use_are_there() {
    let registry = Registry::global().unwrap_or_else(|error| panic!("{error}"));
    let guard = registry.agent("guard").unwrap();
    for name in ["is_tired", "rest", "walk_to"] {
        guard.action(name).unwrap();
    }
    guard.event("noise").unwrap();
    guard.property("stamina").unwrap();
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

/// The scenarios beside the tree. What a file does not answer, the guard's own methods do; `bt-meta test` plays the same
/// files without the game.
#[test]
fn scenarios_beside_the_tree_pass() {
    let mut set = TreeSet::<Guard>::new();
    set.add(rounds().unwrap());
    let mut player = Player::new(&set).unwrap();
    for file in fs::read_dir("trees").unwrap() {
        let path = file.unwrap().path();
        let name = path.display().to_string();
        if !name.ends_with(".scenario.toml") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let scenario = Scenario::from_toml(&name, &text).unwrap_or_else(|error| panic!("{error}"));
        let verdict = player.play(&scenario, &mut Guard::new());
        let verdict = verdict.unwrap_or_else(|error| panic!("{error}"));
        assert!(verdict.passed(), "{verdict}");
    }
}

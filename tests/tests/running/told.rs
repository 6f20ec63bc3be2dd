//! What is told of when nothing seems to be wrong.

use bt_core::Event;
use bt_core::tree::asset::spec::{action, node, sequence, wait_event};
use bt_core::{Runner, TreeAsset, TreeSet};
use bt_tests::probe::Probe;
use std::time::Duration;

fn runner(top: bt_core::tree::asset::spec::NodeSpec) -> Runner<Probe> {
    let mut trees = TreeSet::<Probe>::new();
    trees.add(TreeAsset::build("main", "probe", top));
    Runner::new(&trees.build().unwrap(), "main").unwrap()
}

fn told(runner: &mut Runner<Probe>) -> Vec<String> {
    let all = runner.take_diagnostics();
    all.iter().map(ToString::to_string).collect()
}

#[test]
fn a_runner_that_was_never_started_says_so_once() {
    let mut runner = runner(action("nop"));
    for _ in 0..3 {
        runner.poll(&mut Probe::default(), Duration::ZERO);
    }
    assert_eq!(
        told(&mut runner),
        ["main: it was polled, and never started: call `start()` first"]
    );
    runner.start();
    runner.poll(&mut Probe::default(), Duration::ZERO);
    assert_eq!(told(&mut runner), [""; 0]);
}

#[test]
fn an_event_that_nobody_knows_is_told_of_once() {
    let mut runner = runner(sequence([wait_event("heard"), wait_event("heard")]));
    runner.start();
    for _ in 0..3 {
        runner.fire(Event::new("herd"));
        runner.poll(&mut Probe::default(), Duration::ZERO);
    }
    assert_eq!(
        told(&mut runner),
        [
            "main: event `herd` was fired, which nothing waits for and no agent registers; did you \
             mean `heard`?"
        ]
    );
    runner.fire(Event::new("heard"));
    runner.poll(&mut Probe::default(), Duration::ZERO);
    assert_eq!(told(&mut runner), [""; 0]);
}

#[test]
fn what_stands_beside_extra_is_warned_of() {
    let mut asset = TreeAsset::build("main", "probe", sequence([node("always_running")]));
    let first = asset.root().children()[0];
    let keys = &mut asset.node_mut(first).unwrap().others;
    keys.insert("services".to_owned(), serde_json::json!([]));
    keys.insert("painted_by".to_owned(), serde_json::json!("anybody"));
    let mut trees = TreeSet::<Probe>::new();
    let trees = trees.add(asset).build().unwrap();
    let warnings: Vec<_> = trees.warnings().iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "main: node 1: `services` stands beside `extra`, where it means nothing; move it inside: \
             \"extra\": {\"services\": …}"
        ]
    );
}

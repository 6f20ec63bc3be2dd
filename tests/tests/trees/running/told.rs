//! What is told of when nothing seems to be wrong.

use bt_core::prelude::*;
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
    runner.load("main").unwrap();
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
fn unknown_event_is_reported_once() {
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

/// Panics when it is dropped.
struct Brittle;

impl Drop for Brittle {
    fn drop(&mut self) {
        panic!("it broke");
    }
}

#[derive(Agent)]
struct Porter;

#[agent]
impl Porter {
    #[action]
    fn carry(cx: &mut Context, seconds: f64) -> Option<bool> {
        cx.on_exit(Brittle);
        match seconds {
            0.0 => Some(true),
            seconds => {
                cx.finish_after(Duration::from_secs_f64(seconds), true);
                None
            }
        }
    }
}

#[test]
fn panic_in_the_drop_of_a_guard_is_reported_and_the_tree_continues() {
    let carry = |seconds| action("carry").arg(seconds);
    let top = sequence([carry(0.0), carry(1.0), carry(9.0)]);
    let mut trees = TreeSet::<Porter>::new();
    trees.add(TreeAsset::build("main", "porter", top));
    let mut runner = Runner::new(&trees.build().unwrap(), "main").unwrap();
    runner.start();
    runner.poll(&mut Porter, Duration::ZERO);
    runner.poll(&mut Porter, Duration::from_secs(1));
    assert_eq!(runner.next_wake(), Some(Duration::from_secs(10)));
    runner.stop(&mut Porter, Duration::from_secs(2));
    assert!(!runner.is_running());
    let told = runner.take_diagnostics();
    let nodes: Vec<_> = told.iter().map(|told| told.node()).collect();
    assert_eq!(nodes, [Some(2), Some(3), Some(4)], "{told:?}");
    assert_eq!(
        told[0].message(),
        "a guard panicked when it was dropped: it broke"
    );
}

#[test]
fn key_beside_extra_is_warned_of() {
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
            "main: node 1: `services` is beside `extra`, where it has no meaning; move it inside: \
             \"extra\": {\"services\": …}"
        ]
    );
}

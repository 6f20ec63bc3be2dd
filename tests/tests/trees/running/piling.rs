//! Tests that what piles up in an agent that nobody polls, or that asks for the same again and again, is
//! bounded.

use std::time::Duration;

use allocation_counter::measure;
use bt_core::prelude::*;
use bt_core::trace::Ring;
use bt_core::tree::asset::spec::{action, node};
use bt_core::{Runner, TreeAsset, TreeSet};
use serde_json::json;

const FLOOD: u64 = 200_000;

#[derive(Agent)]
struct Snail;

#[agent]
impl Snail {
    #[event]
    fn rain();

    /// Is called in every poll, and ends by an event.
    #[action]
    fn creep(cx: &mut Context) -> Status {
        cx.finish_on("rain", true);
        Status::Running
    }
}

fn runner(name: &str) -> (bt_core::Trees<Snail>, Runner<Snail>) {
    let keys =
        json!({"hp": {"type": "int32", "initial": 1}, "mana": {"type": "int32", "initial": 1}});
    let root = node("root").extra("blackboard", keys).child(action(name));
    let mut trees = TreeSet::<Snail>::new();
    trees.add(TreeAsset::build("main", "snail", root));
    let trees = trees.build().unwrap();
    let mut runner = Runner::new(&trees, "main").unwrap();
    runner.start();
    runner.poll(&mut Snail, Duration::ZERO);
    (trees, runner)
}

fn most_bytes(flood: impl FnOnce()) -> u64 {
    measure(flood).bytes_max
}

#[test]
fn writes_of_the_host_that_no_tracer_has_taken_are_kept_once_each() {
    let (trees, mut runner) = runner("creep");
    runner.set_tracer(Some(Box::new(Ring::new(&trees, 10))));
    let bytes = most_bytes(|| {
        for number in 0..FLOOD {
            let key = if number % 2 == 0 { "hp" } else { "mana" };
            runner.blackboard().set(key, number);
        }
    });
    assert!(bytes < 16_384, "{bytes}");
}

#[test]
fn writes_that_are_refused_are_kept_in_part() {
    let (_, runner) = runner("creep");
    let bytes = most_bytes(|| (0..FLOOD).for_each(|_| runner.blackboard().set("hp", "much")));
    assert!(bytes < 65_536, "{bytes}");
    let mut runner = runner;
    let bytes = most_bytes(|| {
        for second in 0..FLOOD / 100 {
            runner.blackboard().set("hp", "much");
            runner.poll(&mut Snail, Duration::from_secs(second));
        }
    });
    assert!(bytes < 65_536, "{bytes}");
}

#[test]
fn polled_action_that_asks_for_an_event_in_each_poll_waits_for_it_once() {
    let (_, mut runner) = runner("creep");
    let bytes = most_bytes(|| {
        for second in 0..FLOOD / 100 {
            runner.poll(&mut Snail, Duration::from_secs(second));
        }
    });
    assert!(bytes < 4_096, "{bytes}");
    assert_eq!(
        runner.active_leaves()[0]
            .to_string()
            .matches("rain")
            .count(),
        1
    );
}

//! Events that are queued, kept for who waits next, taken once, and the trees that they suspend.

use bt_core::Event;
use bt_core::tree::asset::spec::{NodeSpec, action, node, parallel, sequence, wait_event};
use bt_tests::probe::*;
use serde_json::json;

use crate::snapshot::twins::Twins;

fn told(what: i64) -> Event {
    Event::new("told").with("what", what)
}

fn params(node: NodeSpec) -> NodeSpec {
    node.extra("params", json!({"what": "heard"}))
}

#[test]
fn u06_an_event_that_was_queued_is_delivered() {
    let mut twins = Twins::new(sequence([
        params(wait_event("told")),
        wait_event("go"),
        now("a"),
    ]));
    twins.poll(0.0);
    twins.fire(told(7)).fire(Event::new("go")).save();
    assert_eq!(twins.poll(0.0), S);
    assert_eq!(twins.saved.runner.blackboard().get("heard"), 7);
}

#[test]
fn u06_an_event_that_was_kept_is_there_for_who_waits_next() {
    let latch = params(wait_event("told")).extra("latch", true);
    let mut twins = Twins::new(sequence([wait(1.0), latch, now("a")]));
    twins.poll(0.0);
    twins.fire(told(1)).fire(told(2));
    twins.poll(0.0);
    twins.save();
    assert_eq!(twins.poll(1.0), S);
    assert_eq!(twins.saved.runner.blackboard().get("heard"), 2);
}

#[test]
fn u06_who_waited_longest_takes_the_event() {
    let late = sequence([wait(0.5), wait_event("go"), now("late")]);
    let early = sequence([wait_event("go"), now("early")]);
    let mut twins = Twins::new(parallel(2, 1, [late, early]));
    twins.polls([0.0, 0.5]);
    twins.fire(Event::new("go"));
    twins.polls([0.5]);
    twins.fire(Event::new("go"));
    assert_eq!(twins.polls([0.5]), [S]);
}

#[test]
fn u06_an_action_that_an_event_ends_waits_for_it() {
    let mut twins = Twins::of(|| {
        let mut play = Play::new(sequence([starts("a"), now("b")]));
        play.reply("a", [Reply::Event("go", true)]);
        play
    });
    twins.poll(0.0);
    twins.save();
    twins.fire(Event::new("go"));
    assert_eq!(twins.poll(0.0), S);
}

fn switching(mode: &str, once: bool) -> [(&'static str, NodeSpec); 2] {
    let events = json!([{"event": "told", "tree": "other", "mode": mode, "once": once,
        "params": {"what": "heard"}}]);
    let main = sequence([
        parallel(3, 1, [wait(1.0), wait_event("go"), polled("p")]),
        now("z"),
    ]);
    [
        ("main", main.extra("events", events)),
        ("other", sequence([now("o"), wait(0.75), now("e")])),
    ]
}

#[test]
fn u06_a_tree_that_is_suspended_goes_on_where_it_stood() {
    for mode in ["return", "transfer"] {
        for once in [false, true] {
            let mut twins = Twins::of(|| {
                let mut play = Play::trees(switching(mode, once));
                play.reply("p", [R, R, R, R, R, R, S]);
                play
            });
            twins.polls([0.0, 0.25]);
            twins.fire(told(1));
            twins.polls([0.5]);
            // For the tree that is suspended: held for it.
            let leaf = twins.straight.runner.active_leaves()[0].id;
            twins.finish(leaf, true);
            twins.polls([0.75, 1.0, 1.25, 1.5]);
            twins.fire(told(2));
            twins.polls([1.5, 1.75]);
            twins.fire(Event::new("go"));
            twins.polls([2.0, 2.25, 2.5, 2.75, 3.0]);
        }
    }
}

/// Since when it is suspended is told on the host's clock, a pause or not.
#[test]
fn u06_a_pause_does_not_change_since_when_a_tree_is_suspended() {
    let mut twins = Twins::of(|| Play::trees(switching("return", false)));
    twins.poll(0.0);
    twins.fire(told(1));
    twins.polls([0.25, 0.5]);
    twins.both(|play| play.runner.pause());
    twins.polls([0.75, 1.0]);
    twins.save();
    let since = twins.straight.runner.explain().suspended[0].since;
    assert_eq!(since, Some(250_000_000));
    assert_eq!(twins.saved.runner.explain().suspended[0].since, since);
    twins.both(|play| play.runner.resume());
    twins.polls([1.25, 1.5]);
}

#[test]
fn u06_suspended_trees_may_be_suspended_by_the_same_event() {
    let events = json!([{"event": "told", "tree": "main", "mode": "return"}]);
    let top = sequence([wait(1.0), now("a")]).extra("events", events);
    let mut twins = Twins::new(top);
    for quarter in 0..4 {
        twins.polls([f64::from(quarter) / 4.0]);
        twins.fire(told(quarter.into()));
    }
    twins.polls([1.0, 1.25, 1.5, 1.75, 2.0, 2.25]);
}

#[test]
fn u06_parameters_for_keys_of_the_tree_wait_until_a_slow_abort_is_complete() {
    let taken = json!([{"event": "told", "tree": "other", "params": {"what": "own"}}]);
    let main = sequence([slow("b")]).extra("events", taken);
    let keys = json!({"own": {"type": "int64", "initial": 0, "scope": "tree"}});
    let waits = action("wait_for_seconds").key("own");
    let other = node("root")
        .extra("blackboard", keys)
        .child(sequence([waits, now("z")]));
    let mut twins = Twins::trees([("main", main), ("other", other)]);
    twins.poll(0.0);
    twins.fire(told(3));
    // It is cancelling; the tree has not started yet.
    twins.polls([0.0, 0.1]);
    assert_eq!(twins.saved.runner.tree(), "main");
    twins.polls([1.0, 3.9]);
    assert_eq!(twins.saved.runner.tree(), "other");
    assert_eq!(twins.polls([4.0]), [S]);
}

//! Thousands of guards, services, events and effects on one node.

use std::time::Duration;

use bt_core::Event;
use bt_core::tree::asset::spec::{NodeSpec, action, call, guard, parallel, select};
use serde_json::json;

use crate::hostile::{Run, on_a_small_stack, tree};

const MANY: usize = 5_000;

fn leaf() -> NodeSpec {
    action("starts").arg("a")
}

#[test]
fn thousands_of_guards_are_each_evaluated_once() {
    on_a_small_stack(|| {
        for abort in ["none", "self", "both"] {
            let mut guarded = leaf();
            for at in 0..MANY {
                let key = format!("k{at}");
                guarded = guarded.guard(guard("key_true").arg(key).negated().set("abort", abort));
            }
            let trees = tree(select([guarded, action("polled").arg("z")]));
            let mut run = Run::new(&trees);
            run.polls(3);
            assert_eq!(run.calls(), 1);
            // The last of them ends it.
            run.runner.blackboard().set(&format!("k{}", MANY - 1), true);
            run.poll(Duration::from_secs(3));
            assert_eq!(run.runner.active_leaves().len(), 1);
            run.stop(Duration::from_secs(4));
        }
    });
}

#[test]
fn thousands_of_services_are_each_called_once_a_period() {
    let mut served = leaf();
    for _ in 0..MANY {
        served = served.service(1.0, call("note").arg("x"));
    }
    let trees = tree(served);
    let mut run = Run::new(&trees);
    for second in 0..4 {
        run.poll(Duration::from_secs(second));
        let log = run.probe.log.take();
        assert_eq!(log.iter().filter(|line| *line == "x").count(), MANY);
    }
    run.stop(Duration::from_secs(4));
}

#[test]
fn thousands_of_effects_are_each_called_once() {
    let mut node = action("now").arg("a");
    for when in ["enter", "success", "exit", "failure"] {
        for _ in 0..MANY {
            node = node.effect(when, call("note").arg(when));
        }
    }
    let trees = tree(node);
    let mut run = Run::new(&trees);
    run.polls(2);
    let log = run.probe.log.take();
    for (when, times) in [
        ("enter", MANY),
        ("success", MANY),
        ("exit", MANY),
        ("failure", 0),
    ] {
        assert_eq!(
            log.iter().filter(|line| *line == when).count(),
            times,
            "{when}"
        );
    }
}

#[test]
fn of_thousands_of_events_that_a_node_takes_one_is_found() {
    let taken = |at: usize| json!({"event": format!("e{at}"), "tree": "other", "mode": "return"});
    let all: Vec<_> = (0..MANY).map(taken).collect();
    let main = leaf().extra("events", json!(all));
    let trees = crate::hostile::trees([
        ("t.json".to_owned(), main),
        ("other".to_owned(), action("now").arg("o")),
    ]);
    let mut run = Run::new(&trees);
    run.poll(Duration::ZERO);
    run.calls();
    for at in 0..MANY {
        run.runner.fire(Event::new(format!("e{at}")));
        // No more than a thousand are queued.
        if at % 1000 == 999 {
            run.poll(Duration::ZERO);
        }
    }
    run.poll(Duration::ZERO);
    assert_eq!(run.calls(), MANY);
    run.stop(Duration::ZERO);
}

#[test]
fn thousands_who_wait_for_one_event_take_it_in_turn_or_together() {
    for broadcast in [false, true] {
        let wait = || {
            let wait = bt_core::tree::asset::spec::wait_event("go");
            wait.extra("broadcast", broadcast)
        };
        let trees = tree(parallel(
            MANY as u32,
            MANY as u32,
            (0..MANY).map(|_| wait()),
        ));
        let mut run = Run::new(&trees);
        run.poll(Duration::ZERO);
        run.runner.fire(Event::new("go"));
        run.poll(Duration::ZERO);
        let left = run.runner.active_leaves().len();
        assert_eq!(left, if broadcast { 0 } else { MANY - 1 });
        run.stop(Duration::ZERO);
    }
}

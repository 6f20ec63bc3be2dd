//! Tests of the types that may be tracers.

use std::sync::{Arc, Mutex};

use bt_core::trace::{Record, Tracer, What};
use bt_live::logs::DebugLog;
use bt_tests::probe::{Play, now};

#[test]
fn a_closure() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let to = lines.clone();
    let mut play = Play::new(now("a"));
    let push = move |record: &Record<'_>| to.lock().unwrap().push(record.what.command());
    play.runner.set_tracer(Some(Box::new(push)));
    play.poll(0.0);
    assert_eq!(
        *lines.lock().unwrap(),
        [
            "snapshot",
            "stands",
            "poll_begin",
            "node_enter",
            "node_enter",
            "node_action",
            "node_leave",
            "node_leave",
            "stands",
        ]
    );
}

#[test]
fn a_key_that_one_call_writes_twice_is_traced_once() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let to = lines.clone();
    let mut play = Play::new(now("a"));
    play.on_call("a", |cx| {
        for (key, value) in [("k", 1), ("k", 2), ("l", 3), ("k", 4)] {
            cx.set(key, value);
        }
    });
    let push = move |record: &Record<'_>| {
        if let What::BbSet { key, value } = &record.what {
            to.lock().unwrap().push(format!("{key} {value}"));
        }
    };
    play.runner.set_tracer(Some(Box::new(push)));
    play.poll(0.0);
    // In a row, that is; with what it holds in the end.
    assert_eq!(*lines.lock().unwrap(), ["k 4", "l 3", "k 4"]);
}

#[test]
fn many_of_whom_one_wants_snapshots() {
    let polls = Arc::new(Mutex::new(Vec::new()));
    let to = polls.clone();
    let push = move |record: &Record<'_>| to.lock().unwrap().push(record.what.command());
    let all: Vec<Box<dyn Tracer>> = vec![
        Box::new(push),
        Box::new(DebugLog::new(std::io::sink(), "a")),
    ];
    let mut play = Play::new(now("a"));
    play.runner.set_tracer(Some(Box::new(all)));
    play.poll(0.0);
    assert_eq!(
        polls.lock().unwrap()[..4],
        ["snapshot", "stands", "snapshot", "node_enter"]
    );
}

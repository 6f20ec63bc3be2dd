//! The debugger's file holds what the design says of it, whatever the tree does. (S1-D02 to S1-D04, U14,
//! U20)

use std::any::Any;

use bt_core::trace::{Record, SharedWriter, Tracer};
use bt_core::tree::asset::spec::{
    NodeSpec, node, parallel, reactive_select, select, sequence, sub_tree, wait_event,
};
use bt_core::{Event, Mode, TreeAsset};
use bt_live::logs::{DebugFeed, DebugLog};
use bt_tests::probe::{Play, Reply, guard_key, key_true, now, of, polled, starts, timed, wait};
use serde_json::{Value, json};

use super::debug_rows::Logged;

fn takes(node: NodeSpec, mode: &str) -> NodeSpec {
    node.extra(
        "events",
        json!([{"event": "told", "tree": "other", "mode": mode, "params": {"what": "what"}}]),
    )
}

fn told(what: i64) -> Event {
    Event::new("told").with("what", what)
}

/// A tree with keys of its own.
fn own(top: NodeSpec) -> NodeSpec {
    let keys = json!({
        "mine": {"type": "int64", "initial": 7, "scope": "tree"},
        "plain": {"type": "string"},
    });
    node("root").extra("blackboard", keys).child(top)
}

#[test]
fn nodes_that_a_parallel_aborts_are_left() {
    let both = parallel(
        1,
        2,
        [sequence([starts("a")]), sequence([starts("b"), now("c")])],
    );
    let mut logged = Logged::trees([("main", both)]);
    logged.poll(0.0);
    logged.play.end("b", true);
    logged.poll(1.0);
    assert_eq!(logged.replay.seen["enter"], logged.replay.seen["leave"]);
    logged.stop();
}

/// As all logs here, this one is played against the copies that `bt-meta export --view-trees` writes.
#[test]
fn log_of_kinds_that_the_original_does_not_know_plays_on_copies_of_its_trees() {
    let calls = sequence([starts("a"), sub_tree("other")]);
    let main = timed("timeout", 9.0, reactive_select([calls, wait(5.0)]));
    let other = select([of("negative", [now("b")]), starts("c")]);
    let mut logged = Logged::trees([("main", main), ("other", other)]);
    logged.poll(0.0);
    logged.play.end("a", true);
    logged.poll(1.0);
    assert_eq!(logged.replay.seen["push_tree"], 1);
    logged.play.end("c", true);
    logged.poll(2.0);
    assert_eq!(logged.replay.seen["enter"], logged.replay.seen["leave"]);
    logged.stop();
}

#[test]
fn suspended_trees_stay_active_and_go_on() {
    let main = takes(parallel(2, 1, [starts("a"), wait(3.0)]), "return");
    let other = sequence([starts("b"), wait(0.5)]);
    let mut logged = Logged::trees([("main", main), ("other", other)]);
    logged.poll(0.0);
    logged.play.runner.fire(told(4));
    logged.poll(1.0);
    logged.poll(1.5);
    logged.play.set("k", 1);
    logged.play.end("b", true);
    logged.poll(2.0);
    logged.poll(2.5);
    logged.play.end("a", true);
    logged.poll(4.0);
    assert_eq!(logged.replay.seen["push_tree"], 1);
    logged.stop();
}

#[test]
fn a_transfer_leaves_the_tree_that_ran() {
    let main = takes(sequence([of("always_true", [starts("a")])]), "transfer");
    let mut logged = Logged::trees([("main", main), ("other", sequence([starts("b")]))]);
    logged.poll(0.0);
    logged.play.runner.fire(told(4));
    logged.poll(1.0);
    logged.play.end("b", true);
    logged.poll(2.0);
    logged.stop();
}

#[test]
fn a_tree_that_runs_twice_at_once_has_two_numbers() {
    let main = parallel(
        2,
        1,
        [sub_tree("other"), sequence([wait(1.0), sub_tree("other")])],
    );
    let other = own(sequence([now("b"), starts("a")]));
    let mut logged = Logged::trees([("main", main), ("other", other)]);
    logged.poll(0.0);
    logged.poll(1.0);
    let active = logged.play.runner.picture();
    assert_eq!(active.trees, ["main", "other", "other"]);
    let values = [&active.blackboard["mine@1"], &active.blackboard["mine@2"]];
    assert_eq!(values, [7, 7]);
    logged.play.end_call("a", 0, true);
    logged.poll(2.0);
    logged.stop();
}

#[test]
fn trees_in_turn_take_no_new_numbers() {
    // What follows in the place of another tree has the number that it had there.
    let main = sequence([sub_tree("x"), sub_tree("y")]);
    let trees = [
        ("main", main),
        ("x", now("x")),
        ("y", sequence([now("y"), wait(0.0)])),
    ];
    let mut play =
        Play::trees(trees).with(|runner| runner.mode(Mode::Loop).tracing(|_: &Record<'_>| ()));
    for step in 0..100 {
        play.poll(f64::from(step));
    }
    assert_eq!(play.runner.picture().trees.len(), 3);
}

#[test]
fn cancelling_node_is_active_until_it_has_exited() {
    let slow = sequence([bt_tests::probe::slow("a")]);
    let main = reactive_select([sequence([key_true("k"), starts("b")]), slow]);
    let mut logged = Logged::trees([("main", main)]);
    logged.poll(0.0);
    logged.play.set("k", true);
    logged.poll(1.0);
    logged.poll(2.0);
    logged.play.end("a", true);
    logged.poll(3.0);
    assert_eq!(logged.play.active(), ["starts"]);
    logged.stop();
}

#[test]
fn writes_events_and_controls_between_polls() {
    let main = sequence([wait_event("go"), polled("a")]);
    let mut logged = Logged::trees([("main", main), ("other", starts("b"))]);
    for step in 0..12 {
        logged.play.set("k", step);
        logged.between();
        logged.play.fire("go");
        logged.between();
        match step {
            3 => logged.play.runner.reset(),
            5 => logged.play.runner.load("other").unwrap(),
            7 => logged.play.runner.pause(),
            8 => logged.play.runner.resume(),
            9 => logged.play.runner.load("main").unwrap(),
            _ => {}
        }
        logged.between();
        logged.play.runner.blackboard().remove("k");
        logged.play.set("l", json!({"of": [step]}));
        logged.poll(f64::from(step));
    }
    assert!(logged.replay.seen["reset"] > 0);
    logged.stop();
    logged.play.runner.start();
    logged.poll(20.0);
    logged.stop();
}

#[test]
fn a_blackboard_that_is_cleared() {
    let main = own(sequence([now("a"), wait(1.0), node("reset")]));
    let mut logged = Logged::trees([("main", main)]);
    logged.play.on_call("a", |cx| cx.set("k", "a\n\"b\""));
    for step in 0..4 {
        logged.poll(f64::from(step));
    }
    let clears = |row: &&Value| row[4] == json!(["variable", ["clear", []]]);
    assert!(logged.rows.iter().filter(clears).count() >= 1);
    logged.stop();
}

#[test]
fn a_log_that_is_switched_on_while_the_tree_runs_begins_with_what_is_active() {
    // S1-D03
    let main = takes(parallel(2, 1, [sub_tree("sub"), starts("a")]), "return");
    let trees = [
        ("main", main),
        ("sub", own(sequence([now("n"), starts("b")]))),
        ("other", sequence([starts("c")])),
    ];
    let mut logged = Logged::trees(trees);
    logged.play.set("k", 3);
    logged.poll(0.0);
    logged.switch_on();
    assert_eq!(logged.rows[0][4][1]["k"], 3);
    assert_eq!(logged.rows[0][4][2].as_array().unwrap().len(), 7);
    logged.poll(1.0);
    logged.play.runner.fire(told(1));
    logged.poll(2.0);
    logged.switch_on();
    assert_eq!(logged.rows[0][4][0], json!(["main", "sub", "other"]));
    for leaf in ["c", "b", "a"] {
        logged.play.end(leaf, true);
        logged.poll(3.0);
    }
    logged.stop();
}

#[test]
fn guards_decorators_and_panics() {
    let guarded = sequence([polled("a"), now("b")]).guard(guard_key("k").set("abort", "both"));
    let main = select([
        guarded,
        timed("timeout", 2.0, starts("c")),
        bt_tests::probe::panics("d"),
    ]);
    let mut logged = Logged::of(vec![TreeAsset::build("main", "probe", main)], Play::looping);
    logged
        .play
        .reply("c", [Reply::On, Reply::After(1.0, false), Reply::On]);
    for step in 0..20 {
        logged.play.set("k", step % 4 == 1);
        logged.poll(f64::from(step));
    }
    logged.stop();
}

/// The parts of a file, each of its lines checked.
fn file(text: &str) -> (Vec<Value>, String) {
    let inside = text.strip_prefix("{\n  \"debug_cmds\": [\n").unwrap();
    let (rows, end) = inside.split_once("\n  ],\n  \"entity_id\": ").unwrap();
    let row = |line: &str| {
        let row = line.strip_prefix("    ").unwrap();
        serde_json::from_str(row.strip_suffix(',').unwrap_or(row)).unwrap()
    };
    let entity = end.strip_suffix("\n}\n").unwrap();
    let whole: Value = serde_json::from_str(text).unwrap();
    let rows: Vec<Value> = rows.lines().map(row).collect();
    assert_eq!(whole["debug_cmds"], Value::Array(rows.clone()));
    (rows, serde_json::from_str(entity).unwrap())
}

#[test]
fn the_file_holds_the_rows_that_a_feed_has_handed_out() {
    let main = sequence([now("a"), wait(1.0), now("b")]);
    let mut play = Play::new(main);
    let log = DebugLog::new(Vec::new(), "monster \"7\"").starting_at(1_700_000_000_000);
    let feed = DebugFeed::new("x").starting_at(1_700_000_000_000);
    let both: Vec<Box<dyn Tracer>> = vec![Box::new(log), Box::new(feed.clone())];
    play.runner.set_tracer(Some(Box::new(both)));
    play.poll(0.25);
    play.poll(1.5);
    let both: Box<dyn Any> = play.runner.set_tracer(None).unwrap();
    let mut both = both.downcast::<Vec<Box<dyn Tracer>>>().unwrap();
    let log: Box<dyn Any> = both.remove(0);
    let log = log.downcast::<DebugLog<Vec<u8>>>().unwrap();
    assert!(log.error().is_none());
    let text = String::from_utf8(log.finish().unwrap()).unwrap();
    let (rows, entity) = file(&text);
    assert_eq!(entity, "monster \"7\"");
    let fed: Value = serde_json::from_str(&feed.take().unwrap()).unwrap();
    assert_eq!(fed["cmds"], Value::Array(rows.clone()));
    assert_eq!(rows[1][2], 1_700_000_000_250_u64);
    assert_eq!(rows.last().unwrap()[2], 1_700_000_001_500_u64);
}

#[test]
fn a_log_that_is_dropped_is_a_whole_file() {
    let shared = SharedWriter::new(Vec::new());
    let mut play = Play::new(now("a"));
    let log = DebugLog::new(shared.clone(), "a");
    play.runner.set_tracer(Some(Box::new(log)));
    play.poll(0.0);
    drop(play);
    let text = shared.with(|bytes| String::from_utf8(bytes.clone()).unwrap());
    let (rows, _) = file(&text);
    assert!(rows.len() > 3, "{text}");
    let unused = DebugLog::new(Vec::new(), "a").finish().unwrap();
    let unused = String::from_utf8(unused).unwrap();
    assert_eq!(
        unused,
        "{\n  \"debug_cmds\": [],\n  \"entity_id\": \"a\"\n}\n"
    );
}

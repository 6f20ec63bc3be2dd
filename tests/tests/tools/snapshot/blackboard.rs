//! The agent's keys, those of running trees, those that are shared; its luck.

use bt_core::tree::asset::spec::{sequence, sub_tree};
use bt_core::{Runner, SharedBoard, TreeAsset};
use bt_tests::probe::*;
use serde_json::json;

use crate::snapshot::twins::Twins;

const SCOPED: &str = r#"{"nodes": [
    {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "probe", "blackboard": {
        "own": {"type": "int32", "initial": 1, "scope": "tree"},
        "mine": {"type": "any_value", "scope": "tree"},
        "hp": {"type": "int32", "initial": 100},
        "alarm": {"type": "bool", "initial": false, "scope": "global"}}}},
    {"idx": 1, "type": "sequence", "children": [2, 3, 4], "extra": {}},
    {"idx": 2, "type": "action", "children": [], "extra": {"action_name": "now",
        "action_args": [{"arg_type": "plain", "arg_value": "writes"}]}},
    {"idx": 3, "type": "action", "children": [], "extra": {"action_name": "wait_for_seconds",
        "action_args": [{"arg_type": "plain", "arg_value": 1}]}},
    {"idx": 4, "type": "action", "children": [], "extra": {"action_name": "now",
        "action_args": [{"arg_type": "plain", "arg_value": "reads"}]}}
]}"#;

fn scoped() -> Play {
    let main = TreeAsset::build(
        "main",
        "probe",
        sequence([sub_tree("scoped"), sub_tree("scoped")]),
    );
    let scoped = TreeAsset::from_json("scoped", SCOPED).unwrap();
    let mut play = Play::of([main, scoped]).unwrap();
    let mut own = 10;
    play.on_call("writes", move |cx| {
        own += 1;
        cx.set("own", own);
        cx.set("mine", json!({"n": [own, null]}));
    });
    play.on_call("reads", |cx| {
        let (own, mine) = (cx.get("own"), cx.get("mine"));
        cx.set("read", json!([own, mine]));
    });
    play
}

#[test]
fn u06_the_keys_of_running_trees_are_theirs_again() {
    let mut twins = Twins::of(scoped);
    twins.polls([0.0, 0.5, 1.0]);
    assert_eq!(
        twins.saved.runner.blackboard().get("read"),
        json!([11, {"n": [11, null]}])
    );
    assert_eq!(twins.polls([1.5, 2.0]), [R, S]);
    assert_eq!(
        twins.saved.runner.blackboard().get("read"),
        json!([12, {"n": [12, null]}])
    );
}

#[test]
fn u06_keys_that_hold_what_they_held_at_first_are_not_saved() {
    let mut play = scoped();
    play.probe.plain = true;
    play.poll(0.0);
    let text = play.runner.save().compact().to_json();
    assert!(!text.contains("hp") && !text.contains("alarm"), "{text}");
    play.set("hp", 7);
    play.runner.blackboard().remove("alarm");
    play.set("mood", json!({"b": 1, "a": [null]}));
    let text = play.runner.save().to_json();
    let keys = r#""keys":{"hp":7,"mood":{"a":[null],"b":1}}"#;
    assert!(text.contains(keys), "{text}");
    assert!(text.contains(r#""unset":["alarm"]"#), "{text}");
}

#[test]
fn u06_any_key_is_restored_set_or_not() {
    let mut twins = Twins::of(scoped);
    twins.poll(0.0);
    twins.both(|play| {
        play.set("hp", 7)
            .set("free", json!([1, {"x": null}]))
            .set("", "nameless");
        play.runner.blackboard().remove("alarm");
    });
    twins.save();
    let board = twins.saved.runner.blackboard();
    assert_eq!(board.get("hp"), 7);
    assert!(board.has("") && !board.has("alarm"));
    assert!(board.try_set("hp", "many").is_err());
}

#[test]
fn keys_that_are_shared_are_not_saved() {
    let shared = SharedBoard::new();
    let mut play = scoped();
    play.probe.plain = true;
    play.runner.share(&shared);
    play.poll(0.0);
    shared.set("alarm", true);
    play.poll(0.0);
    assert_eq!(play.runner.blackboard().get("alarm"), true);
    let saved = play.runner.save();
    // What its tree files say names it, too.
    assert!(!saved.clone().compact().to_json().contains("alarm"));
    let trees = play.runner.trees().clone();
    play.runner = Runner::restore(&trees, &saved).unwrap();
    assert_eq!(play.runner.blackboard().get("alarm"), false);
    play.runner.share(&shared);
    assert_eq!(play.runner.blackboard().get("alarm"), true);
}

#[test]
fn u06_the_random_stream_goes_on() {
    let mut twins = Twins::of(|| {
        let mut play = Play::new(times("loop", -1, now("a"))).with(|runner| runner.seed(4));
        play.on_call("a", |cx| {
            let drawn = cx.random().int(0..=1_000_000);
            cx.set("drawn", drawn);
        });
        play
    });
    twins.polls((0..5).map(f64::from));
}

//! Guards go on watching: their last answers, the keys that they look at, those that have just changed.

use bt_core::Mode;
use bt_core::tree::asset::spec::{select, sequence};
use bt_tests::probe::*;

use crate::snapshot::twins::Twins;

#[test]
fn u06_a_guard_of_its_own_node_aborts_it_when_its_key_changes() {
    for guard in [guard_key("k"), guard_arg("k")] {
        let top = sequence([starts("a")]).guard(guard.set("abort", "self"));
        let mut twins = Twins::of(|| {
            let mut play = Play::new(select([top.clone(), starts("b")]));
            play.set("k", true);
            play
        });
        twins.polls([0.0, 1.0]);
        assert_eq!(twins.saved.runner.next_wake(), None);
        twins.both(|play| {
            play.set("k", false);
        });
        // Written, and not looked at yet.
        assert!(twins.saved.runner.next_wake().is_some());
        twins.save();
        assert!(twins.saved.runner.next_wake().is_some());
        twins.poll(1.0);
        assert_eq!(twins.saved.active(), ["starts"]);
        let node = twins.saved.runner.active_leaves()[0].idx;
        assert_eq!(node, twins.straight.runner.active_leaves()[0].idx);
    }
}

#[test]
fn u06_a_guard_of_the_siblings_takes_over_when_it_begins_to_hold() {
    for abort in ["lower", "both"] {
        for guard in [guard_key("k"), guard_arg("k"), guard_holds("k")] {
            let top = sequence([starts("a")]).guard(guard.set("abort", abort));
            let mut twins = Twins::of(|| {
                let mut play = Play::new(select([top.clone(), starts("b")]));
                play.set("k", false);
                play
            });
            twins.polls([0.0, 1.0]);
            let turn = |twins: &mut Twins, on: bool| {
                twins.both(|play| {
                    play.set("k", on);
                    play.flag("k", on);
                });
            };
            turn(&mut twins, true);
            twins.polls([2.0]);
            turn(&mut twins, false);
            twins.polls([3.0]);
            turn(&mut twins, true);
            twins.polls([4.0, 5.0]);
        }
    }
}

#[test]
fn u06_a_key_that_a_called_tree_declares_is_watched_on() {
    let text = r#"{"nodes": [
        {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "probe", "blackboard":
            {"mine": {"type": "bool", "initial": true, "scope": "tree"}}}},
        {"idx": 1, "type": "parallel", "children": [2, 3], "extra": {"success": 2, "failure": 2}},
        {"idx": 2, "type": "always_running", "children": [], "extra": {"guards":
            [{"condition_name": "key_true", "abort": "self", "condition_args":
                [{"arg_type": "plain", "arg_value": "mine"}]}]}},
        {"idx": 3, "type": "sequence", "children": [4, 5, 6], "extra": {}},
        {"idx": 4, "type": "action", "children": [], "extra": {"action_name": "wait_for_seconds",
            "action_args": [{"arg_type": "plain", "arg_value": 1}]}},
        {"idx": 5, "type": "action", "children": [], "extra": {"action_name": "now",
            "action_args": [{"arg_type": "plain", "arg_value": "turn"}]}},
        {"idx": 6, "type": "action", "children": [], "extra": {"action_name": "wait_for_seconds",
            "action_args": [{"arg_type": "plain", "arg_value": 1}]}}
    ]}"#;
    let mut twins = Twins::of(|| {
        let main = bt_core::TreeAsset::build(
            "main",
            "probe",
            sequence([bt_core::tree::asset::spec::sub_tree("scoped")]),
        );
        let scoped = bt_core::TreeAsset::from_json("scoped", text).unwrap();
        let mut play = Play::of([main, scoped]).unwrap();
        play.on_call("turn", |cx| cx.set("mine", false));
        play
    });
    twins.polls([0.0, 0.5]);
    let text = twins.saved.runner.save().to_json();
    assert!(text.contains(r#""observed":[0]"#), "{text}");
    twins.polls([1.0, 1.5, 2.0]);
}

#[test]
fn u06_guards_of_children_that_a_memory_select_passes_over_follow_the_same_keys() {
    let a = now("a").guard(guard_key("k").set("abort", "lower"));
    let mut twins = Twins::of(|| {
        let top = of("memory_select", [a.clone(), wait(1.0)]);
        let mut play = Play::new(top).with(|runner| runner.mode(Mode::Loop));
        play.set("k", false);
        play
    });
    twins.polls([0.0, 1.0, 2.0]);
    let saved: serde_json::Value =
        serde_json::from_str(&twins.saved.runner.save().to_json()).unwrap();
    assert_eq!(saved["followed"][0][2], serde_json::json!(["k"]), "{saved}");
}

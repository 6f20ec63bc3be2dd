//! Tests of the causes above a waiting node.

use bt_core::tree::asset::spec::{action, condition, guard, node, reactive_select, sequence};
use insta::assert_snapshot;
use serde_json::json;

use super::scene::Scene;
use super::{timed, waits};

#[test]
fn a_timeout() {
    let mut scene = Scene::new(timed("timeout", 5.0, sequence([waits("event")])));
    assert_snapshot!("timeout", scene.poll(1.0).words_at(3.0));
}

#[test]
fn a_timeout_while_it_is_paused() {
    let mut scene = Scene::new(timed("timeout", 5.0, waits("event")));
    scene.poll(1.0).poll(2.0).runner.pause();
    assert_snapshot!("timeout_paused", scene.words_at(30.0));
}

#[test]
fn frames() {
    let top = node("frames")
        .extra("count", 9)
        .child(node("always_running"));
    let mut scene = Scene::new(top);
    assert_snapshot!("frames", scene.poll(1.0).poll(2.0).words());
}

#[test]
fn guards_that_abort_and_events_that_take_over() {
    let near = guard("near").key("range").arg(9.0).set("abort", "self");
    let calm = guard("angry").negated().set("abort", "both");
    let taken = json!([
        {"event": "fire", "tree": "flee.json", "mode": "return"},
        {"event": "dawn", "tree": "flee.json"},
    ]);
    let top = sequence([waits("completion").guard(near)]).guard(calm);
    let top = bt_core::tree::asset::spec::select([top]).extra("events", taken);
    let mut scene = Scene::trees([("main.json", top), ("flee.json", action("roars"))]);
    assert_snapshot!(
        "guards_and_events",
        scene.set("range", 5.5).poll(1.0).words()
    );
}

#[test]
fn a_reactive_node() {
    let top = reactive_select([condition("angry"), waits("event")]);
    let mut scene = Scene::new(top);
    assert_snapshot!("reactive", scene.poll(1.0).poll(2.0).words());
}

#[test]
fn first_child_of_a_reactive_node_has_none_before_it() {
    let top = reactive_select([sequence([waits("event")]), condition("angry")]);
    let words = Scene::new(top).poll(1.0).words();
    assert!(
        words.contains("waiting: ") && !words.contains("takes over"),
        "{words}"
    );
}

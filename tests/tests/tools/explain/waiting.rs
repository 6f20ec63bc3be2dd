//! Tests of the waits of leaves.

use bt_core::tree::asset::spec::{action, node, parallel, sequence, sub_tree, wait_event};
use insta::assert_snapshot;
use serde_json::json;

use super::scene::Scene;
use super::{timed, waits};

#[test]
fn waits_for_a_time() {
    let mut scene = Scene::new(waits("time"));
    assert_snapshot!("time", scene.poll(10.0).words_at(11.2));
}

#[test]
fn waits_for_an_event() {
    let top = parallel(2, 2, [wait_event("heard"), waits("event")]);
    let mut scene = Scene::new(top);
    assert_snapshot!("event", scene.poll(10.0).words_at(12.0));
}

#[test]
fn waits_for_a_completion() {
    let mut scene = Scene::new(waits("completion"));
    assert_snapshot!("completion", scene.poll(10.0).words());
}

#[test]
fn waits_for_polls() {
    let mut scene = Scene::new(waits("polls"));
    assert_snapshot!("polls", scene.poll(10.0).poll(10.5).words());
}

#[test]
fn waits_for_whatever_comes_first() {
    let mut scene = Scene::new(waits("all"));
    assert_snapshot!(
        "whatever_comes_first",
        scene.poll(10.0).poll(11.0).words_at(11.0)
    );
}

#[test]
fn is_called_again_every_poll() {
    let chase = action("chases").key("prey").arg(7.5).property("hp");
    let mut scene = Scene::new(sequence([chase]));
    scene.set("prey", 3).poll(1.0);
    scene.set("prey", 4).poll(1.016);
    assert_snapshot!("polled", scene.words());
}

#[test]
fn a_delay() {
    let mut scene = Scene::new(timed("delay", 3.0, action("roars")));
    assert_snapshot!("delay", scene.poll(1.0).words_at(2.0));
}

#[test]
fn the_next_iteration() {
    let mut scene = Scene::new(node("loop").extra("count", -1).child(action("roars")));
    assert_snapshot!("next_iteration", scene.poll(1.0).poll(2.0).words());
}

#[test]
fn always_running() {
    let mut scene = Scene::new(node("always_running"));
    assert_snapshot!("always_running", scene.poll(1.0).words());
}

#[test]
fn explanation_of_a_wait_that_nothing_can_end() {
    let mut scene = Scene::new(waits("nothing"));
    assert_snapshot!(
        "explanation_of_a_wait_that_nothing_can_end",
        scene.poll(1.0).words_at(60.0)
    );
}

#[test]
fn a_tree_that_runs_twice() {
    let top = parallel(2, 2, [sub_tree("trap.json"), sub_tree("trap.json")]);
    let trap = sequence([action("roars"), waits("time")]);
    let mut scene = Scene::trees([("main.json", top), ("trap.json", trap)]);
    assert_snapshot!("twice", scene.poll(1.0).words());
}

#[test]
fn an_event_suspended_it() {
    let taken = json!([{"event": "fire", "tree": "flee.json", "mode": "return"}]);
    let inner = parallel(3, 3, [waits("time"), waits("event"), sub_tree("sub.json")]);
    let trees = [
        ("main.json", inner.extra("events", taken)),
        ("flee.json", sequence([waits("completion")])),
        ("sub.json", action("digs")),
    ];
    let mut scene = Scene::trees(trees.clone());
    scene.poll(1.0).fire("fire").poll(2.0);
    assert_snapshot!("suspended", scene.words_at(3.0));
    // The same after a snapshot.
    let mut scene = Scene::trees(trees);
    scene
        .poll(1.0)
        .fire("fire")
        .poll(2.0)
        .poll(4.0)
        .runner
        .set_tracer(None);
    let lines = bt_core::trace::JsonLines::new(Vec::new());
    scene.runner.set_tracer(Some(Box::new(lines)));
    let leaves = scene.runner.active_leaves();
    let leaves: Vec<_> = leaves.iter().map(|leaf| format!("{leaf}\n")).collect();
    assert_snapshot!("suspended_in_lines", leaves.concat());
    assert_snapshot!("suspended_and_due", scene.words_at(4.0));
}

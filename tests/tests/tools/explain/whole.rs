//! The tree as a whole: whether it runs at all.

use bt_core::tree::asset::spec::{action, node, sequence};
use insta::assert_snapshot;

use super::scene::Scene;
use super::waits;

#[test]
fn never_started() {
    let mut scene = Scene::idle(waits("time"));
    assert_snapshot!("never_started", scene.words());
}

#[test]
fn never_started_and_polled() {
    let mut scene = Scene::idle(waits("time"));
    assert_snapshot!("never_started_and_polled", scene.poll(1.0).words());
}

#[test]
fn never_polled() {
    let mut scene = Scene::new(waits("time"));
    assert_snapshot!("never_polled", scene.words());
}

#[test]
fn never_started_and_reset() {
    let mut scene = Scene::idle(waits("time"));
    scene.runner.reset();
    assert_snapshot!("never_started_and_reset", scene.words());
}

#[test]
fn paused() {
    let mut scene = Scene::new(waits("time"));
    scene.poll(1.0).poll(2.0).runner.pause();
    scene.poll(9.0);
    assert_snapshot!("paused", scene.words_at(9.0));
}

#[test]
fn paused_for_a_while() {
    let mut scene = Scene::new(waits("time"));
    scene.poll(1.0).poll(2.0).runner.pause();
    scene.poll(9.0).runner.resume();
    // The next poll makes up for it.
    assert_snapshot!("resumed", scene.words_at(9.0));
    let mut scene = Scene::new(sequence([waits("time"), waits("event")]));
    scene.poll(1.0).runner.pause();
    scene.poll(9.0).runner.resume();
    scene.fire("nothing").poll(9.5);
    assert_snapshot!("paused_for_a_while", scene.words());
}

#[test]
fn stopped() {
    let mut scene = Scene::new(waits("time"));
    scene.poll(1.0).stop(2.0);
    assert_snapshot!("stopped", scene.words());
}

#[test]
fn cancelling() {
    let mut scene = Scene::new(sequence([action("digs")]));
    scene.poll(1.0).stop(2.0);
    assert_snapshot!("cancelling", scene.words_at(3.5));
}

#[test]
fn ended() {
    let mut scene = Scene::new(action("trips")).once();
    assert_snapshot!("ended", scene.poll(1.0).words());
}

#[test]
fn ended_before_it_was_traced() {
    let mut scene = Scene::new(action("roars")).once();
    scene.poll(1.0).runner.set_tracer(None);
    let lines = bt_core::trace::JsonLines::new(Vec::new());
    scene.runner.set_tracer(Some(Box::new(lines)));
    assert_snapshot!("ended_before", scene.words());
}

#[test]
fn begins_again_in_the_next_poll() {
    let mut scene = Scene::new(action("roars"));
    assert_snapshot!("begins_again", scene.poll(1.0).poll(2.0).words());
}

#[test]
fn explanation_of_an_exceeded_step_budget() {
    let top = node("loop").extra("count", -1).child(sequence([
        action("roars"),
        action("roars"),
        action("roars"),
        waits("event"),
    ]));
    let mut scene = Scene::new(top).with(|runner| runner.budget(4));
    assert_snapshot!("budget_spent", scene.poll(1.0).words());
}

#[test]
fn explanation_of_an_overdue_agent() {
    let mut scene = Scene::new(sequence([waits("time")]));
    assert_snapshot!("overdue", scene.poll(10.0).words_at(13.0));
}

#[test]
fn an_event_is_queued() {
    let mut scene = Scene::new(sequence([waits("event")]));
    scene.poll(10.0).fire("heard");
    assert_snapshot!("queued", scene.words_at(11.0));
}

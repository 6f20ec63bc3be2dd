//! Tests of nodes that are not entered.

use bt_core::tree::asset::spec::{action, guard, node, select, sequence};
use insta::assert_snapshot;

use super::scene::Scene;
use super::{timed, waits};

#[test]
fn a_guard_that_would_take_over() {
    let near = guard("near").key("range").arg(9.0).set("abort", "lower");
    let mut scene = Scene::new(select([action("roars").guard(near), waits("event")]));
    scene.set("range", 20.5).poll(1.0);
    scene.set("range", 19.5).poll(2.0);
    assert_snapshot!("takes_over", scene.words_at(3.0));
}

#[test]
fn explanation_knows_observing_guards_without_a_trace() {
    let near = guard("near").key("range").arg(9.0).set("abort", "lower");
    let mut scene = Scene::new(select([action("roars").guard(near), waits("event")]));
    scene.runner.set_tracer(None);
    scene.set("range", 20.5).poll(1.0);
    assert_snapshot!("takes_over_untraced", scene.runner.explain());
}

#[test]
fn a_guard_that_refused() {
    let near = guard("near").key("range").arg(9.0);
    let calm = guard("angry").negated();
    let top = select([
        sequence([action("roars")]).guard(calm.clone()).guard(near),
        waits("time"),
    ]);
    let mut scene = Scene::new(top);
    scene.set("range", 20).poll(1.0);
    // It looks at it no more.
    scene.set("range", 5);
    assert_snapshot!("refused_entry", scene.words_at(2.0));
}

#[test]
fn a_guard_of_an_earlier_run_is_left_out() {
    let calm = guard("angry").negated();
    let top = select([action("roars").guard(calm), waits("time")]);
    let mut scene = Scene::new(top);
    scene.ogre.angry = true;
    scene.poll(1.0);
    scene.ogre.angry = false;
    // The wait ends, and the next run of the tree gets in.
    scene.poll(3.5);
    assert_eq!(scene.runner.explain().refusals, []);
    scene.words();
}

#[test]
fn a_guard_that_aborted() {
    let near = guard("near").key("range").arg(9.0).set("abort", "self");
    let top = sequence([
        node("always_true").child(waits("event").guard(near)),
        waits("completion"),
    ]);
    let mut scene = Scene::new(top);
    scene.set("range", 5).poll(1.0);
    scene.set("range", 10).poll(2.0);
    assert_snapshot!("aborted", scene.words());
}

#[test]
fn a_cooldown() {
    let top = select([timed("cooldown", 10.0, action("roars")), waits("time")]);
    let mut scene = Scene::new(top);
    scene.poll(1.0).poll(2.0);
    assert_snapshot!("cooldown", scene.words_at(3.0));
}

#[test]
fn a_cooldown_while_it_is_paused() {
    let top = select([timed("cooldown", 10.0, action("roars")), waits("time")]);
    let mut scene = Scene::new(top);
    scene.poll(1.0).poll(2.0).runner.pause();
    assert_snapshot!("cooldown_paused", scene.words_at(30.0));
}

#[test]
fn a_run_limit() {
    let limit = node("run_limit").extra("count", 2).child(action("roars"));
    let mut scene = Scene::new(select([limit, waits("time")]));
    scene.poll(1.0).poll(2.0).poll(3.0);
    assert_snapshot!("run_limit", scene.words());
}

#[test]
fn explanation_of_a_once_that_failed() {
    let once = node("once").child(action("trips"));
    let mut scene = Scene::new(sequence([node("always_true").child(once), waits("time")]));
    scene.poll(1.0).poll(3.5);
    assert_snapshot!("once", scene.words());
}

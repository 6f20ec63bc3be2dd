//! Tests of the advice where nothing waits, or where the reason does not help alone.

use bt_core::tree::asset::spec::{action, condition, guard, select, sequence};
use insta::assert_snapshot;

use super::scene::Scene;
use super::waits;

#[test]
fn explanation_of_a_tree_that_fails_every_poll_gives_advice() {
    let mut scene = Scene::new(sequence([action("roars"), action("trips")]));
    scene.runner.set_tracer(None);
    scene.poll(1.0).poll(2.0);
    let advice = scene.runner.explain();
    assert_eq!(advice.ended, Some(false));
    assert_snapshot!("fails_every_poll", advice);
}

#[test]
fn explanation_with_kept_results_names_the_failing_leaf() {
    let top = sequence([
        action("roars"),
        select([condition("angry"), action("trips")]),
    ]);
    let mut scene = Scene::new(top).with(|runner| runner.keep_results(true));
    scene.poll(1.0).poll(2.0);
    assert_snapshot!("fails_and_results_are_kept", scene.words());
}

#[test]
fn a_guard_that_lets_nothing_in_is_the_answer() {
    let mut scene = Scene::new(action("roars").guard(guard("angry")));
    scene.poll(1.0).poll(2.0);
    assert_snapshot!("guard_fails_every_poll", scene.words());
}

#[test]
fn tree_that_ends_with_success_gets_no_advice() {
    let mut scene = Scene::new(action("roars"));
    let told = scene.poll(1.0).words();
    assert!(
        !told.contains("failed") && !told.contains("to see"),
        "{told}"
    );
}

#[test]
fn paused_before_its_first_poll_it_is_to_be_resumed() {
    let mut scene = Scene::new(waits("time"));
    scene.runner.pause();
    scene.poll(1.0).poll(2.0);
    assert_snapshot!("paused_before_its_first_poll", scene.words_at(2.0));
}

#[test]
fn runner_explains_reason_and_path_of_what_fails_in_every_poll() {
    let top = select([sequence([action("roars"), action("trips")])]);
    let mut scene = Scene::new(top);
    scene.runner.set_tracer(None);
    (0..100).for_each(|second| {
        scene.poll(f64::from(second));
    });
    let why = scene.runner.explain();
    assert_snapshot!("fails_every_poll_with_a_reason", why);
    let diagnostics = scene.runner.diagnostics();
    assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
    assert_eq!(
        diagnostics[0].to_string(),
        "main.json: node 4 (action `trips`): failed: there is a stone (in main.json: 0 root > 1 select > \
         2 sequence)"
    );
}

#[test]
fn runner_explains_what_fails_in_every_poll_without_results() {
    let mut scene = Scene::new(select([condition("angry"), condition("angry")])).once();
    scene.runner.set_tracer(None);
    assert_snapshot!(
        "condition_fails_every_poll",
        scene.poll(1.0).poll(2.0).runner.explain()
    );
    let guarded = action("roars").guard(guard("near").key("range").arg(9.0));
    let mut scene = Scene::new(select([condition("angry"), guarded]));
    scene.runner.set_tracer(None);
    assert_snapshot!(
        "guard_refuses_every_poll",
        scene.set("range", 20).poll(1.0).runner.explain()
    );
}

#[test]
fn error_in_every_poll_is_reported_once() {
    let chase = action("chases").key("prey").key("range").property("hp");
    let mut scene = Scene::new(select([chase, action("trips")]));
    (0..12).for_each(|second| {
        scene.poll(f64::from(second));
    });
    let diagnostics = scene.runner.diagnostics().iter();
    assert_eq!(diagnostics.filter(|told| !told.is_failure()).count(), 12);
    assert_eq!(scene.runner.explain().diagnostics[0].times, 12);
    assert_snapshot!("wrong_every_poll", scene.words());
}

#[test]
fn time_that_goes_back_is_reported() {
    let mut scene = Scene::new(waits("time"));
    scene.poll(102.0).poll(7.0);
    assert_snapshot!("time_goes_back", scene.runner.explain());
    scene.poll(102.5);
    let after = scene.runner.explain();
    assert_eq!(after.went_back, None);
    assert!(!after.to_string().contains("stands still"), "{after}");
    scene.runner.pause();
    let paused = scene.poll(3.0).runner.explain().to_string();
    assert!(
        paused.contains("polled at 3 s, after 102.5 s: the clock went back, so no time passes"),
        "{paused}"
    );
}

#[test]
fn guard_without_abort_is_evaluated_on_entry_only() {
    let near = guard("near").key("range").arg(9.0);
    let none = near.clone().set("abort", "none");
    for near in [near.clone(), none] {
        let mut scene = Scene::new(select([action("roars").guard(near), waits("event")]));
        // Where results are kept, it is known without a trace.
        scene = scene.with(|runner| runner.keep_results(true));
        let told = scene
            .set("range", 20)
            .poll(1.0)
            .runner
            .explain()
            .to_string();
        assert!(
            told.contains("  it is evaluated on entry only: its `abort` is `none`\n"),
            "{told}"
        );
    }
    let mut scene = Scene::new(select([
        action("roars").guard(near.set("abort", "self")),
        waits("event"),
    ]));
    let told = scene.set("range", 20).poll(1.0).words();
    assert!(!told.contains("on entry only"), "{told}");
}

//! Nodes whose results are forced.

use std::time::Duration;

use bt_core::debug::{Forced, ForcedNode};
use bt_core::explain::Explainer;
use bt_core::trace::Ring;
use bt_core::tree::asset::spec::{select, sequence};
use bt_tests::probe::*;

use super::harness::*;

fn force(play: &mut Play, idx: u32, forced: Option<Forced>) {
    let done = play.runner.force("main", idx, forced);
    done.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn forced_node_is_not_entered_and_its_parent_sees_the_result() {
    for (forced, result, log) in [
        (Forced::Success, true, "+a a:S +c c:S"),
        (Forced::Failure, false, "+a a:S"),
        (Forced::Disabled, true, "+a a:S +c c:S"),
    ] {
        let mut play = Play::new(sequence([now("a"), paired("b", now("b")), now("c")]));
        force(&mut play, 3, Some(forced));
        play.poll(0.0);
        assert_eq!(play.brief(), log);
        assert_eq!(play.runner.result(), Some(result));
    }
}

#[test]
fn disabled_child_of_a_select_fails() {
    let mut play = Play::new(select([now("a"), now("b")]));
    force(&mut play, 2, Some(Forced::Disabled));
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.brief(), "+b b:S");
}

#[test]
fn guards_of_a_forced_node_are_not_evaluated() {
    let mut play = Play::new(select([now("a").guard(guard_holds("g")), now("b")]));
    force(&mut play, 2, Some(Forced::Success));
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.brief(), "");
}

#[test]
fn node_that_takes_over_ends_as_it_is_forced_to() {
    let guard = guard_key("k").set("abort", "lower");
    let mut play = Play::new(select([now("a").guard(guard), starts("b")]));
    force(&mut play, 2, Some(Forced::Success));
    play.runner.force("main", 2, None).expect("it is there");
    play.poll(0.0);
    force(&mut play, 2, Some(Forced::Success));
    play.set("k", true);
    assert_eq!(play.poll(1.0), S);
    assert!(play.brief().ends_with("b:A"));
}

#[test]
fn node_runs_again_when_it_is_forced_no_more() {
    let mut play = Play::new(now("a")).looping();
    force(&mut play, 1, Some(Forced::Failure));
    let (tree, idx, forced) = ("main".to_owned(), 1, Forced::Failure);
    assert_eq!(play.runner.forced(), [ForcedNode { tree, idx, forced }]);
    play.poll(0.0);
    assert_eq!(play.brief(), "");
    force(&mut play, 1, None);
    assert_eq!(play.runner.forced(), []);
    play.poll(1.0);
    assert_eq!(play.brief(), "+a a:S");
}

#[test]
fn trace_says_what_is_forced() {
    let mut play = Play::new(sequence([now("a"), now("b")]));
    let trace = Trace::of(&mut play);
    force(&mut play, 2, Some(Forced::Failure));
    play.poll(0.0);
    force(&mut play, 2, None);
    let notes = ["failure", "failure", "no"].map(|value| (2, value.to_owned()));
    assert_eq!(trace.notes("forced"), notes);
}

#[test]
fn forced_node_is_named_by_the_explanation_until_it_is_released() {
    let mut play = Play::new(sequence([now("a"), now("b")])).looping();
    force(&mut play, 2, Some(Forced::Failure));
    force(&mut play, 3, Some(Forced::Disabled));
    play.poll(0.0);
    let text = play.runner.explain().to_string();
    let failure =
        "node 2 (action `now`) ends with failure and does not run: release it to let it run\n";
    assert!(text.contains(failure), "{text}");
    assert!(
        text.contains("node 3 (action `now`) is disabled: "),
        "{text}"
    );
    force(&mut play, 2, None);
    force(&mut play, 3, None);
    assert_eq!(play.runner.explain().forced, []);
}

#[test]
fn trace_explains_a_forced_node_until_it_is_released() {
    let mut play = Play::new(sequence([now("a"), now("b")])).looping();
    let ring = Ring::new(play.runner.trees(), 1000).explaining();
    play.runner.set_tracer(Some(Box::new(ring)));
    let traced = |play: &Play| {
        let ring = play.runner.tracer::<Ring>().expect("it is set");
        let mut explainer = Explainer::new();
        for record in ring.records() {
            explainer.apply(&record).expect("it fits");
        }
        let explained = explainer.explain_at(Duration::ZERO);
        explained.expect("it explains").forced
    };
    force(&mut play, 2, Some(Forced::Failure));
    assert_eq!(traced(&play), play.runner.explain().forced);
    play.poll(0.0);
    play.poll(1.0);
    assert_eq!(traced(&play).len(), 1);
    force(&mut play, 2, None);
    assert_eq!(traced(&play), []);
}

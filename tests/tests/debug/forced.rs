//! Nodes whose results are forced.

use std::time::Duration;

use bt_core::debug::{Forced, ForcedNode};
use bt_core::explain::Explainer;
use bt_core::reload::{Changes, Renamed};
use bt_core::trace::Ring;
use bt_core::tree::asset::spec::{NodeSpec, negative, parallel, select, sequence};
use bt_core::{TreeAsset, TreeSet};
use bt_tests::probe::*;
use serde_json::Value;

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

#[test]
fn node_that_runs_when_it_is_forced_runs_on_and_ends_so_from_its_next_entry_on() {
    let mut play = Play::new(sequence([starts("a"), now("b")])).looping();
    play.poll(0.0);
    for forced in [Forced::Failure, Forced::Success] {
        force(&mut play, 2, Some(forced));
    }
    play.again();
    assert_eq!(play.brief(), "+a");
    let text = play.runner.explain().to_string();
    let runs = "node 2 (action `starts`) runs on, and ends with success when it is entered next: \
                release it to let it run\n";
    assert!(text.contains(runs), "{text}");
    play.end("a", true);
    play.again();
    assert_eq!(play.brief(), "a:S +b b:S +b b:S", "it is not entered again");
    let text = play.runner.explain().to_string();
    assert!(
        text.contains("ends with success and does not run"),
        "{text}"
    );
}

#[test]
fn node_above_what_runs_is_forced_when_it_is_entered_next() {
    let above = paired("n", sequence([starts("a")]));
    let mut play = Play::new(sequence([above, now("b")])).looping();
    play.poll(0.0);
    force(&mut play, 2, Some(Forced::Failure));
    play.again();
    let text = play.runner.explain().to_string();
    assert!(text.contains("node 2 (sequence) runs on"), "{text}");
    play.end("a", true);
    play.again();
    assert_eq!(play.brief(), "+n +a a:S -n +b b:S");
    play.again();
    assert_eq!(play.brief(), "");
}

#[test]
fn running_child_of_a_parallel_that_reruns_is_forced_once_it_has_ended() {
    let both = parallel(2, 2, [polled("a"), polled("b")]).extra("rerun", true);
    let mut play = Play::new(both);
    play.reply("a", [R, R, F]);
    play.poll(0.0);
    force(&mut play, 2, Some(Forced::Success));
    play.again();
    play.again();
    assert_eq!(play.brief(), "+a +b ~a ~b ~a a:F ~b");
    play.reply("b", [S]);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "~b b:S");
}

/// Its trees are others now, and it is polled.
fn reloaded(play: &mut Play, new: Vec<TreeAsset>, renamed: Renamed) {
    let mut set = TreeSet::new();
    for tree in new {
        set.add(tree);
    }
    let new = set.build().expect("they are right");
    let changes = Changes::renamed(play.runner.trees(), &new, renamed);
    play.runner.reload(&changes);
    play.again();
}

fn numbered(name: &str, top: NodeSpec, idx: &[(u64, u64)]) -> TreeAsset {
    let text = TreeAsset::build(name, "probe", top).to_json();
    let mut file: Value = serde_json::from_str(&text).expect("it is JSON");
    let new = |old: &Value| {
        let found = idx.iter().find(|(was, _)| old.as_u64() == Some(*was));
        found.map_or(old.clone(), |(_, now)| (*now).into())
    };
    for node in file["nodes"].as_array_mut().expect("it has nodes") {
        node["idx"] = new(&node["idx"]);
        if let Some(parent) = node.get_mut("parent") {
            *parent = new(parent);
        }
        let children = node["children"].as_array_mut().expect("it has children");
        children.iter_mut().for_each(|child| *child = new(child));
    }
    TreeAsset::from_json(name, &file.to_string()).expect("it is one")
}

#[test]
fn node_that_a_reload_removes_is_forced_no_more() {
    let both = || sequence([now("a"), now("b")]);
    let mut play = Play::new(both()).looping();
    force(&mut play, 2, Some(Forced::Failure));
    force(&mut play, 3, Some(Forced::Success));
    play.poll(0.0);
    let alone = numbered("main", sequence([now("b")]), &[(2, 3)]);
    reloaded(&mut play, vec![alone], Renamed::new());
    let (tree, idx, forced) = ("main".to_owned(), 3, Forced::Success);
    assert_eq!(play.runner.forced(), [ForcedNode { tree, idx, forced }]);
    let text = "node 2 of tree `main` is gone, which was forced (failure): it is forced no more";
    let problems = play.runner.last_reload().expect("it has moved").problems();
    assert_eq!(problems, [text]);
    assert!(play.diagnostics().iter().any(|told| told.contains(text)));
    assert_eq!(play.brief(), "");
    // It comes back as it is in the file.
    reloaded(
        &mut play,
        vec![TreeAsset::build("main", "probe", both())],
        Renamed::new(),
    );
    assert_eq!(play.brief(), "+a a:S");
}

#[test]
fn forced_node_of_another_kind_in_changed_trees_is_another_node() {
    let mut play = Play::new(sequence([now("a"), now("b")])).looping();
    force(&mut play, 2, Some(Forced::Failure));
    let other = sequence([negative(now("a")), now("b")]);
    reloaded(
        &mut play,
        vec![TreeAsset::build("main", "probe", other)],
        Renamed::new(),
    );
    assert_eq!(play.runner.forced(), []);
}

#[test]
fn forced_node_stays_forced_under_its_new_name_and_number() {
    let both = || sequence([now("a"), now("b")]);
    let mut play = Play::new(both()).looping();
    force(&mut play, 3, Some(Forced::Failure));
    play.poll(0.0);
    let new = numbered("other", both(), &[(3, 30), (2, 20)]);
    let mut renamed = Renamed::new();
    renamed
        .tree("main", "other")
        .node("main", 3, 30)
        .node("main", 2, 20);
    reloaded(&mut play, vec![new], renamed);
    let (tree, idx, forced) = ("other".to_owned(), 30, Forced::Failure);
    assert_eq!(play.runner.forced(), [ForcedNode { tree, idx, forced }]);
    play.again();
    assert_eq!(play.brief(), "+a a:S +a a:S +a a:S");
}

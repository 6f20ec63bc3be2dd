//! An agent that was saved while it ran other trees moves to those that it is restored with.

use bt_core::prelude::*;
use bt_core::reload::{Moved, Renamed};
use bt_core::tree::asset::spec::{NodeSpec, action, negative, node, select, sequence};
use bt_core::{Runner, Saved, TreeAsset, TreeSet, Trees};
use bt_tests::probe::*;
use std::time::Duration;

use super::harness::*;

/// Saves the agent as text and restores it with other trees, which it moves to with the next poll.
fn restore<const N: usize>(play: &mut Play, trees: [(&str, NodeSpec); N]) {
    let new = set(trees.map(|(name, top)| tree(name, top)));
    let saved = Saved::from_json(&play.runner.save().to_json()).expect("it was saved");
    let restored = Runner::restore_or_restart(&new, &saved);
    play.runner = restored.expect("it is restored");
}

fn plain(main: NodeSpec) -> Play {
    let mut play = play(main);
    play.probe.plain = true;
    play
}

#[test]
fn a_saved_agent_runs_on_in_changed_trees_and_its_wait_counts_from_the_original_entry() {
    let top = |seconds, last| n(1, sequence([n(2, wait(seconds)), n(3, now(last))]));
    let mut play = plain(top(10.0, "a"));
    play.poll(0.0);
    play.poll(4.0);
    restore(&mut play, [("main", top(20.0, "b"))]);
    play.poll(100.0);
    assert!(report(&play).is_quiet());
    assert_eq!(play.wake(), Some(116.0), "4 s of 20 were over");
    assert_eq!(play.poll(116.0), S);
    assert_eq!(play.brief(), "call b left: Success");
}

#[test]
fn the_exit_method_and_the_effects_of_a_node_that_is_gone_are_called() {
    let gone = paired("g", sequence([n(4, starts("a"))]));
    let mut play = plain(n(1, select([n(2, gone), n(3, now("b"))])));
    play.poll(0.0);
    assert_eq!(play.brief(), "+g call a");
    restore(&mut play, [("main", n(1, select([n(3, now("b"))])))]);
    assert_eq!(play.brief(), "", "nothing is called before the first poll");
    assert_eq!(play.poll(1.0), S);
    assert_eq!(play.brief(), "left: Aborted -g call b left: Success");
    assert_eq!(numbers(report(&play).aborted()), [2, 4]);
}

#[test]
fn wrapping_does_not_disturb_a_saved_agent() {
    let mut play = plain(n(1, sequence([n(2, wait(5.0)), n(3, now("z"))])));
    play.poll(0.0);
    let wrapped = n(7, negative(n(2, wait(5.0))));
    restore(
        &mut play,
        [("main", n(1, sequence([wrapped, n(3, now("z"))])))],
    );
    play.poll(0.0);
    assert_eq!(numbers(report(&play).adopted()), [7]);
    assert_eq!(play.poll(5.0), F);
}

#[test]
fn a_tree_whose_numbers_alone_changed_is_matched_by_place() {
    let of = |first: u32| {
        let leaves = [n(first + 2, wait(5.0)), n(first + 1, now("b"))];
        n(first, sequence(leaves))
    };
    let mut play = plain(of(1));
    play.poll(0.0);
    restore(&mut play, [("main", of(41))]);
    play.poll(1.0);
    assert!(report(&play).is_quiet(), "{}", report(&play));
    assert_eq!(play.wake(), Some(6.0));
}

/// Saves the agent as text, or without what it says of its nodes, and restores it with a tree `other` that was `main`.
fn restore_as_other(play: &mut Play, top: NodeSpec, compact: bool) {
    let saved = Saved::from_json(&play.runner.save().to_json()).expect("it was saved");
    let saved = if compact { saved.compact() } else { saved };
    let mut renamed = Renamed::new();
    renamed.tree("main", "other").node("main", 2, 12);
    let new = set([tree("other", top)]);
    let restored = Runner::restore_renamed(&new, &saved, &renamed);
    play.runner = restored.unwrap_or_else(|error| panic!("{error}"));
}

fn waits_and_calls(idx: u32, word: &str) -> NodeSpec {
    n(1, sequence([n(idx, wait(10.0)), n(3, now(word))]))
}

#[test]
fn a_saved_agent_moves_to_trees_and_nodes_with_other_names_and_numbers() {
    let mut play = plain(waits_and_calls(2, "a"));
    play.poll(0.0);
    play.poll(4.0);
    restore_as_other(&mut play, waits_and_calls(12, "b"), false);
    play.poll(4.0);
    assert!(report(&play).is_quiet(), "{}", report(&play));
    assert_eq!(play.runner.tree(), "other");
    assert_eq!(play.wake(), Some(10.0));
    assert_eq!(play.poll(10.0), S);
    assert_eq!(play.brief(), "call b left: Success");
}

#[test]
fn a_node_of_a_saved_agent_that_nobody_renamed_is_gone_under_another_number() {
    let mut play = plain(waits_and_calls(2, "a"));
    play.poll(0.0);
    restore_as_other(&mut play, waits_and_calls(22, "b"), false);
    play.poll(4.0);
    assert_eq!(numbers(report(&play).aborted()), [2]);
    assert_eq!(play.wake(), Some(14.0));
}

#[test]
fn a_compact_saved_agent_starts_its_renamed_tree_anew() {
    let mut play = plain(waits_and_calls(2, "a"));
    play.poll(0.0);
    play.poll(4.0);
    restore_as_other(&mut play, waits_and_calls(12, "b"), true);
    play.poll(4.0);
    assert_eq!(play.runner.tree(), "other");
    assert_eq!(play.wake(), Some(14.0));
    play.diagnostics();
}

#[test]
fn a_saved_agent_whose_trees_are_not_among_those_renamed_is_restored_as_it_is() {
    let mut play = plain(waits_and_calls(2, "a"));
    play.poll(0.0);
    let saved = play.runner.save();
    let mut renamed = Renamed::new();
    renamed.tree("third", "other");
    let restored = Runner::restore_renamed(play.runner.trees(), &saved, &renamed);
    assert_eq!(restored.expect("it is restored").save(), saved);
}

#[test]
fn a_running_tree_that_is_gone_starts_the_outermost_anew() {
    let by_key = || node("sub_tree").extra("name_key", "which");
    let main = |last| {
        n(
            1,
            sequence([n(2, now("a")), n(3, by_key()), n(4, now(last))]),
        )
    };
    let mut play = plays([("main", main("y")), ("inner", n(1, starts("b")))]);
    play.probe.plain = true;
    play.set("which", "inner");
    play.poll(0.0);
    assert_eq!(play.brief(), "call a left: Success call b");
    let other = ("other", n(1, starts("c")));
    restore(&mut play, [("main", main("z")), other]);
    play.set("which", "other");
    play.poll(1.0);
    assert_eq!(play.brief(), "left: Aborted call a left: Success call c");
    assert_eq!(*report(&play).moved(), Moved::Restarted("inner".into()));
}

#[test]
fn the_host_may_load_a_tree_that_did_not_run_before_the_first_poll() {
    let top = |word| n(1, sequence([n(2, starts("a")), n(3, now(word))]));
    let mut play = plain(top("z"));
    play.poll(0.0);
    restore(
        &mut play,
        [("main", top("y")), ("other", n(1, starts("o")))],
    );
    play.runner.load("other").expect("it is there");
    play.poll(1.0);
    assert_eq!(play.brief(), "call a left: Aborted call o");
}

#[test]
fn an_agent_that_is_saved_again_before_it_moved_moves_later() {
    let top = |word| n(1, sequence([n(2, wait(5.0)), n(3, now(word))]));
    let mut play = plain(top("a"));
    play.poll(0.0);
    restore(&mut play, [("main", top("b"))]);
    restore(&mut play, [("main", top("c"))]);
    play.poll(0.0);
    assert_eq!(play.poll(5.0), S);
    assert_eq!(play.brief(), "call c left: Success");
}

#[test]
fn a_retained_place_of_a_node_that_is_not_active_stays() {
    let top = |idx: &[u32], word: &str| {
        let leaves = idx.iter().map(|idx| n(*idx, now(&format!("l{idx}"))));
        let memory = n(2, of("memory_sequence", leaves.collect::<Vec<_>>()));
        let leaf = n(9, sequence([n(8, wait(5.0)), n(7, now(word))]));
        n(1, sequence([n(20, of("always_true", [memory])), leaf]))
    };
    let mut play = plain(top(&[3, 4, 5], "w")).looping();
    play.probe.plain = true;
    play.reply("l4", [false]);
    play.poll(0.0);
    assert_eq!(play.brief(), "call l3 left: Success call l4 left: Failure");
    restore(&mut play, [("main", top(&[3, 6, 5], "v"))]);
    play.poll(0.0);
    play.poll(5.0);
    assert_eq!(
        play.brief(),
        "call v left: Success call l6 left: Success call l5 left: Success"
    );
}

#[test]
fn what_is_still_cancelling_counts_as_cancelled() {
    let top = |word| n(1, sequence([n(2, slow("a")), n(3, now(word))]));
    let mut play = plain(top("b"));
    play.poll(0.0);
    let saved = |play: &mut Play| {
        let new = n(1, sequence([n(3, now("z"))]));
        restore(play, [("main", new)]);
        play.poll(1.0)
    };
    assert_eq!(saved(&mut play), S);
    assert_eq!(play.brief(), "call a left a: Aborted call z left: Success");
    let told = play.runner.diagnostics();
    assert!(
        told.iter().any(|told| told
            .message()
            .starts_with("it was being cancelled when the agent was saved, and its tree has")),
        "{told:?}"
    );
}

#[derive(Agent, Default)]
struct Miner;

#[agent]
impl Miner {
    #[action(exit = "put_down")]
    fn dig(&mut self, cx: &mut Context, _metal: String) -> Option<bool> {
        cx.finish_after(Duration::from_secs(9), true);
        None
    }
    fn put_down(&mut self, _cx: &mut Context, _exit: Exit) {}
}

fn mine(top: NodeSpec) -> Trees<Miner> {
    let mut trees = TreeSet::new();
    trees.add(TreeAsset::build("dig.json", "miner", top));
    trees.build().expect("they are right")
}

#[test]
fn an_exit_whose_method_is_gone_is_reported() {
    let old = mine(sequence([action("dig").arg("coal")]));
    let mut runner = Runner::new(&old, "dig.json").expect("it is there");
    runner.start();
    runner.poll(&mut Miner, Duration::ZERO);
    // As a version of the game wrote it whose action had another name.
    let text = runner.save().to_json();
    let text = text.replace(r#""action_name":"dig""#, r#""action_name":"hack""#);
    let saved = Saved::from_json(&text).expect("it is one");
    let new = mine(sequence([node("always_running")]));
    let mut runner = Runner::restore_or_restart(&new, &saved).expect("it is restored");
    runner.poll(&mut Miner, Duration::ZERO);
    let told: Vec<_> = runner
        .diagnostics()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0].ends_with("its exit method `put_down` is gone: it is aborted without"),
        "{told:?}"
    );
}

#[test]
fn what_it_says_of_nodes_that_is_no_tree_is_refused() {
    let old = mine(sequence([action("dig").arg("coal")]));
    let mut runner = Runner::new(&old, "dig.json").expect("it is there");
    runner.start();
    runner.poll(&mut Miner, Duration::ZERO);
    let text = runner.save().to_json();
    let new = mine(sequence([node("always_running")]));
    let nodes = text.replace(
        r#""idx":1,"type":"sequence""#,
        r#""idx":0,"type":"sequence""#,
    );
    assert_ne!(nodes, text);
    let saved = Saved::from_json(&nodes).expect("it is one");
    let error = Runner::restore_or_restart(&new, &saved).expect_err("it is no tree");
    assert!(error.is_malformed(), "{error}");
    let said = "what it says of the nodes of `dig.json` is no tree";
    assert!(error.to_string().contains(said), "{error}");
}

//! Tests of requests of the host to a stopped agent, and of arrivals meanwhile.

use bt_core::debug::Step;
use bt_core::reload::Changes;
use bt_core::tree::asset::spec::{parallel, sequence, wait_event};
use bt_core::{TreeAsset, TreeSet};
use bt_tests::probe::*;

use super::harness::*;

/// Stopped as `b` is entered, which is node 3.
fn stopped() -> Play {
    let mut play = Play::new(sequence([now("a"), paired("b", now("b")), now("c")]));
    break_on(&mut play, [enter(3)]);
    play.poll(0.0);
    play.log();
    play
}

#[test]
fn stop_aborts_from_where_the_agent_is() {
    let mut play = stopped();
    play.stop();
    assert!(play.runner.stopped().is_none());
    assert_eq!(play.brief(), "", "it was not entered yet");
    assert!(!play.runner.is_running());
    assert!(!play.runner.is_paused());
    play.runner.start();
    play.again();
    assert_eq!(place(&play), ("node_enter", Some(3)));
}

#[test]
fn stop_aborts_a_node_that_has_ended_and_was_not_exited_yet() {
    let mut play = Play::new(sequence([paired("b", now("b")), now("c")]));
    play.on_call("b", |cx| cx.set("hp", 3));
    let name = "hp".to_owned();
    break_on(&mut play, [bt_core::debug::On::Key { name }]);
    play.poll(0.0);
    assert_eq!(play.brief(), "+b +b b:S");
    play.stop();
    assert_eq!(play.brief(), "-b");
}

#[test]
fn load_and_reset_wait_for_the_end_of_the_poll() {
    for load in [true, false] {
        let mut play = stopped();
        match load {
            true => play.runner.load("main").expect("it is there"),
            false => play.runner.reset(),
        }
        let word = if load { "load" } else { "reset" };
        assert_eq!(stop(&play).waiting, [word]);
        play.again();
        assert_eq!(stop(&play).waiting, [word], "it is stopped still");
        go(&mut play);
        assert_eq!(play.brief(), "+b +b b:S -b +c c:S");
        assert_eq!(play.runner.result(), Some(true));
        play.again();
        play.again();
        assert_eq!(place(&play), ("node_enter", Some(3)), "it begins again");
    }
}

#[test]
fn reload_waits_for_the_end_of_the_poll() {
    let mut play = stopped();
    let mut changed = TreeSet::new();
    changed.add(TreeAsset::build("main", "probe", sequence([now("x")])));
    let changed = changed.build().expect("it is sound");
    let changes = Changes::between(play.runner.trees(), &changed);
    play.runner.reload(&changes);
    assert_eq!(stop(&play).waiting, ["reload"]);
    play.again();
    assert!(play.runner.last_reload().is_none());
    go(&mut play);
    assert!(play.brief().ends_with("+c c:S"));
    assert!(play.runner.last_reload().is_some());
}

#[test]
fn pause_counts_once_the_agent_continues() {
    let mut play = stopped();
    assert!(!play.runner.is_paused(), "it is stopped, nobody paused it");
    play.runner.pause();
    assert!(play.runner.is_paused());
    step(&mut play, Step::Continue);
    assert_eq!(play.brief(), "", "it is paused");
    play.runner.resume();
    assert!(!play.runner.is_paused());
    play.again();
    assert!(play.brief().ends_with("+c c:S"));
}

#[test]
fn what_arrives_is_kept_within_the_limit() {
    let mut play = Play::new(sequence([now("a"), wait_event("go"), now("b")]));
    play.runner.set_queue_limit(2);
    break_on(&mut play, [enter(2)]);
    play.poll(0.0);
    for _ in 0..3 {
        play.fire("go");
    }
    let refused = play.diagnostics();
    assert_eq!(refused.len(), 1, "{refused:?}");
    play.again();
    assert_eq!(play.brief(), "", "nothing is delivered");
    go(&mut play);
    assert_eq!(play.runner.result(), Some(true));
}

#[test]
fn completion_that_is_finished_meanwhile_is_delivered_afterwards() {
    let mut play = Play::new(parallel(
        2,
        1,
        [starts("a"), sequence([now("b"), wait(9.0)])],
    ));
    break_on(&mut play, [enter(4)]);
    play.poll(0.0);
    play.end("a", true);
    play.again();
    assert_eq!(play.brief(), "+a");
    go(&mut play);
    play.again();
    assert_eq!(play.brief(), "+b b:S a:S");
}

#[test]
fn clock_of_a_stopped_agent_stands() {
    let mut play = Play::new(parallel(
        2,
        1,
        [wait(10.0), sequence([wait(5.0), now("b")])],
    ));
    break_on(&mut play, [enter(5)]);
    play.poll(0.0);
    play.poll(5.0);
    assert_eq!(place(&play), ("node_enter", Some(5)));
    assert_eq!(play.wake(), None);
    play.poll(100.0);
    go(&mut play);
    assert_eq!(play.wake(), Some(105.0), "95 s do not count");
    assert_eq!(play.poll(104.0), R);
    assert_eq!(play.poll(105.0), S);
}

#[test]
fn key_that_is_set_at_a_stop_counts_at_once() {
    let top = sequence([now("a"), key_true("k"), now("b")]);
    let mut play = Play::new(top);
    break_on(&mut play, [enter(3)]);
    play.poll(0.0);
    play.set("k", true);
    go(&mut play);
    assert_eq!(play.runner.result(), Some(true));
}

#[test]
fn active_nodes_are_those_on_the_way_to_the_stop() {
    let play = stopped();
    let active = play.runner.active_nodes();
    let active: Vec<_> = active.iter().map(|node| node.idx).collect();
    assert_eq!(active, [0, 1]);
    assert_eq!(play.runner.picture().active.len(), 2);
}

#[test]
fn agent_stays_stopped_when_its_breakpoints_are_taken_away() {
    let mut play = stopped();
    play.runner.set_breakpoints(None);
    assert!(play.runner.breakpoints().is_none());
    play.again();
    assert_eq!(place(&play), ("node_enter", Some(3)));
    assert_eq!(play.brief(), "");
    go(&mut play);
    assert_eq!(play.brief(), "+b +b b:S -b +c c:S");
    assert!(play.runner.stopped().is_none());
}

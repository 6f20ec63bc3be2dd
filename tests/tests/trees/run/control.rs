//! Starting, stopping, pausing, resetting and loading, from every state.

use bt_core::tree::asset::spec::{node, parallel, sequence, sub_tree, wait_event};
use bt_core::{Mode, NodeStatus};
use bt_tests::probe::*;

/// A play in each state there is, by its name.
fn states() -> Vec<(&'static str, Play)> {
    let top = |node| Play::trees([("main", paired("n", node)), ("other", starts("o"))]);
    let after = |play: Play, polls: usize| {
        let mut play = play;
        for _ in 0..polls {
            play.again();
        }
        play
    };
    let seq = |node| top(sequence([node]));
    let mut all = vec![
        ("due", seq(starts("a"))),
        ("waiting", after(seq(starts("a")), 1)),
        ("polled", after(seq(polled("a")), 1)),
        ("timed", after(seq(wait(1.0)), 1)),
        ("counting", after(seq(frames(9)), 2)),
        ("event", after(seq(wait_event("go")), 1)),
        ("delayed", after(top(timed("delay", 1.0, now("a"))), 1)),
        (
            "between iterations",
            after(top(times("loop", -1, now("a"))), 2),
        ),
        (
            "between frames",
            after(top(times("frames", 9, now("a"))), 2),
        ),
        (
            "reactive",
            after(top(of("reactive_sequence", [now("x"), starts("a")])), 2),
        ),
        (
            "parallel",
            after(
                top(parallel(3, 1, [starts("a"), polled("b"), wait(2.0)])),
                2,
            ),
        ),
        (
            "rerun",
            after(
                top(parallel(2, 2, [now("a"), starts("b")]).extra("rerun", true)),
                2,
            ),
        ),
        ("in another tree", after(seq(sub_tree("other")), 1)),
        ("for ever", after(seq(node("always_running")), 1)),
        ("ended", after(seq(now("a")), 1)),
        ("between runs", after(seq(now("a")).looping(), 1)),
        ("cancelling", {
            let race = parallel(1, 1, [slow("a"), starts("b")]);
            let mut play = after(top(race), 1);
            play.end("b", true);
            after(play, 1)
        }),
        ("stopping", {
            let mut play = after(seq(slow("a")), 1);
            play.stop();
            play
        }),
        ("out of budget", {
            let busy = times("repeat", 100, now("a"));
            after(seq(busy).with(|runner| runner.budget(10)), 1)
        }),
        ("out of budget at the top", {
            let busy = sequence([now("a"), now("b")]);
            after(top(busy).with(|runner| runner.budget(1)), 1)
        }),
    ];
    let mut stopped = after(seq(starts("a")), 1);
    stopped.stop();
    all.push(("stopped", stopped));
    for (_, play) in &mut all {
        play.brief();
    }
    all
}

/// Lets slow leaves go.
fn settle(play: &mut Play) {
    for name in ["a", "b"] {
        if play.active().contains(&format!("slow_{name}")) {
            play.end(name, true);
        }
    }
    play.again();
}

#[test]
fn stop_leaves_everything_from_every_state() {
    for (state, mut play) in states() {
        play.stop();
        settle(&mut play);
        assert!(!play.runner.is_running(), "{state}");
        assert_eq!(play.runner.active_nodes(), [], "{state}");
        assert_eq!(play.wake(), None, "{state}");
        let none: [&str; 0] = [];
        assert_eq!(play.probe.log.open(), none, "{state}");
        play.brief();
        assert_eq!(play.polls::<2>().len(), 2);
        assert_eq!(play.brief(), "", "{state}: nothing runs any more");
    }
}

#[test]
fn start_begins_from_the_first_node_after_a_stop_in_every_state() {
    for (state, mut play) in states() {
        play.stop().runner.start();
        settle(&mut play);
        settle(&mut play);
        assert!(play.runner.is_running() || play.runner.result().is_some());
        assert!(play.brief().contains("+n"), "{state}");
    }
}

#[test]
fn start_does_nothing_while_it_runs() {
    for (state, mut play) in states() {
        let entered = |play: &mut Play| {
            let log = play.brief();
            log.contains("+n")
        };
        if matches!(
            state,
            "waiting" | "polled" | "timed" | "event" | "reactive" | "for ever"
        ) {
            play.runner.start();
            play.again();
            assert!(!entered(&mut play), "{state}");
        }
    }
}

#[test]
fn paused_runner_runs_nothing_and_resumes_at_the_same_node() {
    for (state, mut play) in states() {
        let before = play.runner.active_nodes();
        let leaves = play.active();
        play.runner.pause();
        assert!(play.runner.is_paused());
        assert_eq!(play.wake(), None, "{state}");
        play.fire("nobody");
        for seconds in [0.5, 5.0, 50.0] {
            play.poll(seconds);
        }
        assert_eq!(play.brief(), "", "{state}");
        assert_eq!(play.runner.active_nodes(), before, "{state}");
        assert_eq!(play.active(), leaves, "{state}");
        play.runner.resume();
        play.again();
        let log = play.brief();
        let anew = matches!(state, "due" | "between runs");
        assert_eq!(
            log.contains("+n"),
            anew || state == "out of budget at the top" && log.contains("+n"),
            "{state}: {log}"
        );
    }
}

#[test]
fn time_waited_is_not_lost_while_paused() {
    let mut play = Play::new(timed(
        "timeout",
        3.0,
        sequence([wait(2.0), now("a"), wait(9.0)]),
    ));
    play.poll(0.0);
    play.poll(1.5);
    play.runner.pause();
    play.poll(100.0);
    play.runner.resume();
    assert_eq!(play.poll(101.5), R);
    assert_eq!(
        play.wake(),
        Some(102.0),
        "paused for a hundred seconds from 1.5 on"
    );
    assert_eq!(play.poll(102.0), R);
    assert_eq!(play.brief(), "+a a:S");
    assert_eq!(play.poll(103.0), F);
}

#[test]
fn time_waited_is_not_lost_when_it_is_paused_again_before_a_poll() {
    let mut play = Play::new(wait(2.0));
    play.poll(0.0);
    play.runner.pause();
    play.poll(10.0);
    play.runner.resume();
    play.runner.pause();
    play.poll(20.0);
    play.runner.resume();
    assert_eq!(play.poll(20.0), R);
    assert_eq!(play.wake(), Some(22.0), "nothing was waited for 20 seconds");
}

#[test]
fn a_poll_while_paused_does_not_tell_again_how_an_earlier_run_ended() {
    let mut play = Play::new(now("a")).looping();
    assert_eq!(play.poll(0.0), S);
    play.runner.pause();
    assert_eq!(play.again(), R);
}

#[test]
fn paused_runner_keeps_what_arrives() {
    let mut play = Play::new(sequence([wait_event("go"), starts("a"), now("b")]));
    play.poll(0.0);
    play.runner.pause();
    play.fire("go");
    assert_eq!(play.again(), R);
    play.runner.resume();
    assert_eq!(play.again(), R);
    play.runner.pause();
    play.end("a", true);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+a");
    play.runner.resume();
    assert_eq!(play.again(), S);
}

#[test]
fn a_stop_while_paused_stops() {
    for (state, mut play) in states() {
        play.runner.pause();
        play.stop();
        play.runner.resume();
        settle(&mut play);
        assert!(!play.runner.is_running(), "{state}");
    }
}

#[test]
fn reset_aborts_clears_the_blackboard_and_restarts_in_the_next_poll() {
    for (state, mut play) in states() {
        play.set("k", 1);
        play.runner.reset();
        settle(&mut play);
        settle(&mut play);
        assert!(!play.runner.blackboard().has("k"), "{state}");
        assert!(play.brief().contains("+n"), "{state}");
    }
}

#[test]
fn load_aborts_and_runs_the_other_tree_from_the_next_poll_on() {
    for (state, mut play) in states() {
        play.runner.load("other").unwrap();
        settle(&mut play);
        settle(&mut play);
        assert_eq!(play.runner.tree(), "other", "{state}");
        if state == "stopped" {
            // Nothing runs, so nothing is run in its place.
            continue;
        }
        assert_eq!(play.active(), ["starts"], "{state}");
        assert!(play.brief().ends_with("+o"), "{state}");
    }
}

#[test]
fn a_loaded_tree_that_begins_and_ends_in_one_poll_is_run_again_in_the_next_poll() {
    let mut play = Play::trees([("main", starts("a")), ("other", now("o"))]).looping();
    play.poll(0.0);
    play.runner.load("other").unwrap();
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+a a:A +o o:S");
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+o o:S");
}

#[test]
fn load_of_the_same_tree_starts_it_again_and_of_none_is_an_error() {
    let mut play = Play::trees([("main", starts("a")), ("other.json", starts("o"))]);
    play.poll(0.0);
    play.runner.load("main").unwrap();
    play.again();
    assert_eq!(play.brief(), "+a a:A +a");
    let error = play.runner.load("othr.json").unwrap_err().to_string();
    assert!(
        error.contains("no tree `othr.json`") && error.contains("other.json"),
        "{error}"
    );
    play.runner.load("other").unwrap();
    play.again();
    assert_eq!(play.runner.tree(), "other.json");
}

#[test]
fn a_stop_is_the_last_word() {
    let mut play = Play::trees([("main", starts("a")), ("other", starts("o"))]);
    play.poll(0.0);
    play.runner.reset();
    play.runner.load("other").unwrap();
    play.stop();
    play.again();
    assert_eq!(play.brief(), "+a a:A");
    assert!(!play.runner.is_running());
}

#[test]
fn a_reset_node_starts_again_in_the_next_poll_and_may_keep_the_blackboard() {
    for keep in [false, true] {
        let reset = node("reset").extra("keep_blackboard", keep);
        let mut play = Play::new(paired("n", sequence([now("a"), reset])));
        play.set("k", 1).reply("a", [S, F]);
        assert_eq!(play.poll(0.0), R);
        assert_eq!(play.brief(), "+n +a a:S -n");
        assert_eq!(play.runner.blackboard().has("k"), keep);
        assert_eq!(play.again(), F, "the agent is alive");
        assert_eq!(play.brief(), "+n +a a:F -n");
    }
}

#[test]
fn a_reset_in_the_middle_of_a_poll_ends_it_running() {
    let mut play = Play::new(sequence([wait_event("go"), node("reset")]));
    play.poll(0.0);
    play.fire("go").fire("go");
    assert_eq!(play.again(), R);
    assert_eq!(play.wake(), Some(0.0));
    // The second event was not lost.
    assert_eq!(play.again(), R);
    assert_eq!(play.active(), [""; 0]);
    assert_eq!(play.again(), R, "from the start");
    assert_eq!(play.active(), ["go"]);
}

#[test]
fn a_stop_from_within_at_any_depth_leaves_everything_once() {
    let deep = |leaf| {
        let race = paired(
            "p",
            parallel(2, 2, [starts("x"), paired("q", sequence([leaf]))]),
        );
        paired("n", of("reactive_sequence", [now("y"), race, now("z")]))
    };
    for leaf in [now("a"), starts("a"), polled("a")] {
        let mut play = Play::new(deep(leaf));
        play.on_call("a", |cx| cx.stop());
        play.poll(0.0);
        let log = play.brief();
        assert!(log.starts_with("+n +y y:S +p +x +q +a"), "{log}");
        assert!(log.contains("x:A") && log.ends_with("-p -n"), "{log}");
        assert!(!log.contains("+z") && !play.runner.is_running());
    }
}

#[test]
fn a_tree_that_is_loaded_above_a_suspended_one_may_call_others() {
    let event = serde_json::json!([{"event": "go", "tree": "other", "mode": "return"}]);
    let main = sequence([sub_tree("other"), starts("m")]).extra("events", event);
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.poll(0.0);
    play.fire("go").again();
    assert_eq!(play.brief(), "+o +o");
    play.runner.load("main").unwrap();
    play.again();
    assert_eq!(play.brief(), "o:A o:A +o", "the suspended one goes, too");
    assert_eq!(play.active(), ["starts"]);
}

#[test]
fn runner_changes_its_settings_while_it_runs() {
    let mut play = Play::new(sequence([starts("a"), now("b"), now("c")]));
    play.poll(0.0);
    play.runner.set_mode(Mode::Loop);
    play.runner.set_budget(1);
    play.runner.set_keep_results(true);
    play.end("a", true);
    // One node a poll.
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+a a:S +b b:S");
    assert_eq!(play.runner.node_status("main", 3), NodeStatus::Success);
    play.runner.set_budget(100);
    play.again();
    assert_eq!(play.brief(), "+c c:S +a");
    play.runner.set_mode(Mode::Once);
    play.runner.set_keep_results(false);
    assert_eq!(play.runner.node_status("main", 3), NodeStatus::Idle);
    play.end("a", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.runner.result(), Some(true));
    assert_eq!(play.runner.node_status("main", 3), NodeStatus::Idle);
    play.diagnostics();
}

#[test]
fn load_afresh_clears_the_blackboard_before_the_new_tree_starts() {
    let main = node("cooldown").extra("seconds", 60).child(starts("a"));
    let mut play = Play::trees([("main", main), ("other", arg_true("k"))]);
    play.set("k", true);
    play.poll(0.0);
    play.runner.load("other").unwrap();
    assert_eq!(play.poll(0.0), S, "a load keeps it");
    play.runner.load_afresh("other").unwrap();
    assert_eq!(play.poll(0.0), F);
    assert!(play.runner.blackboard().get("k").is_null());

    // What is asked of an agent that was not started, or was saved meanwhile, is the same.
    play.stop();
    play.set("k", true);
    play.runner.load_afresh("main").unwrap();
    let saved = serde_json::to_string(&play.runner.save()).unwrap();
    assert!(saved.contains(r#""request":{"afresh":"main"}"#), "{saved}");
    play.poll(0.0);
    assert_eq!(play.runner.tree(), "main");
    assert!(play.runner.blackboard().get("k").is_null());
}

//! Loops: how often, how often a poll, and what ends them.

use bt_core::Status;
use bt_core::tree::asset::spec::{NodeSpec, parallel, sequence, wait_event};
use bt_tests::probe::*;

use super::status;

/// Polls until the loop ends; how often its child ran, and in how many polls.
fn run(tree: NodeSpec, ends: &str, most: usize) -> (Status, usize, usize) {
    let mut play = Play::new(tree);
    play.reply("a", ends.chars().map(status));
    let mut result = R;
    let mut polls = 0;
    while result == R && polls < most {
        result = play.again();
        polls += 1;
    }
    let runs = play.brief().matches('+').count();
    (result, runs, polls)
}

#[test]
fn loops_end_after_these_runs_and_polls() {
    for (kind, count, ends, result, runs, polls) in [
        // Limited: in the same poll while the child ends at once.
        ("repeat", 3, "SSS", S, 3, 1),
        ("repeat", 3, "SFS", F, 2, 1),
        ("repeat", 0, "", S, 0, 1),
        ("retry", 3, "FFF", F, 3, 1),
        ("retry", 3, "FSF", S, 2, 1),
        ("retry", 0, "", F, 0, 1),
        ("until_success", 3, "FFS", S, 3, 1),
        ("until_success", 3, "FFF", F, 3, 1),
        ("until_failure", 3, "SSF", S, 3, 1),
        ("until_failure", 3, "SSS", F, 3, 1),
        ("until_success", 0, "", F, 0, 1),
        ("until_failure", 0, "", F, 0, 1),
        // For ever: once a poll.
        ("repeat", -1, "SSSF", F, 4, 4),
        ("retry", -1, "FFFS", S, 4, 4),
        ("until_success", -1, "FFS", S, 3, 3),
        ("until_failure", -1, "SSF", S, 3, 3),
        // One iteration a poll, and the result ignored.
        ("loop", 3, "SFS", S, 3, 3),
        ("loop", 1, "F", S, 1, 1),
        ("loop", 0, "", S, 0, 1),
        ("loop", -1, "SFSFS", R, 5, 5),
    ] {
        let found = run(times(kind, count, now("a")), ends, 5);
        assert_eq!(found, (result, runs, polls), "{kind} {count} {ends}");
    }
}

#[test]
fn until_without_a_count_has_no_limit_and_looks_once_a_poll() {
    for (kind, until) in [("until_success", true), ("until_failure", false)] {
        let mut play = Play::new(of(kind, [holds("x")]));
        play.flag("x", !until);
        assert_eq!(play.polls(), [R, R, R]);
        assert_eq!(play.brief(), "?x ?x ?x");
        play.flag("x", until);
        assert_eq!(play.again(), S);
    }
}

#[test]
fn endless_loop_continues_in_the_same_poll_after_a_run_that_blocked() {
    for kind in ["repeat", "retry", "until_success", "until_failure"] {
        let goes_on = matches!(kind, "repeat" | "until_failure");
        let mut play = Play::new(times(kind, -1, starts("a")));
        play.poll(0.0);
        play.end("a", goes_on);
        assert_eq!(play.again(), R);
        let letter = if goes_on { 'S' } else { 'F' };
        assert_eq!(play.brief(), format!("+a a:{letter} +a"), "{kind}");
    }
}

#[test]
fn loop_never_iterates_twice_in_a_poll() {
    let mut play = Play::new(times("loop", 3, starts("a")));
    play.poll(0.0);
    play.end("a", true);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+a a:S");
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+a");
}

#[test]
fn a_wait_between_looks_is_no_busy_loop() {
    let mut play = Play::new(times("until_success", -1, sequence([wait(1.0), now("a")])));
    play.always("a", false);
    play.poll(0.0);
    assert_eq!(play.wake(), Some(1.0));
    assert_eq!(play.poll(1.0), R);
    assert_eq!(play.brief(), "+a a:F");
    assert_eq!(play.wake(), Some(2.0));
}

#[test]
fn a_counter_is_cleared_on_abort() {
    for (kind, on) in [
        ("repeat", true),
        ("retry", false),
        ("until_success", false),
        ("loop", true),
    ] {
        let mut play = Play::new(times(kind, 3, starts("a")));
        play.again();
        play.end("a", on);
        play.polls::<2>();
        play.stop().runner.start();
        play.brief();
        while play.again() == R {
            if !play.active().is_empty() {
                play.end("a", on);
            }
        }
        assert_eq!(play.brief().matches('+').count(), 3, "{kind}");
    }
}

#[test]
fn a_counter_is_cleared_at_the_end() {
    let mut play = Play::new(times("repeat", 2, now("a"))).looping();
    assert_eq!(play.polls(), [S, S]);
    assert_eq!(play.brief().matches('+').count(), 4);
}

#[test]
fn loops_in_loops_multiply() {
    let inner = times("repeat", 3, now("a"));
    let mut play = Play::new(times("repeat", 4, inner));
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.brief().matches('+').count(), 12);
}

#[test]
fn a_loop_beside_a_blocked_leaf_keeps_its_pace() {
    let looping = times("loop", -1, now("a"));
    let mut play = Play::new(parallel(2, 1, [looping, starts("b")]));
    play.poll(0.0);
    assert_eq!(play.polls(), [R, R]);
    assert_eq!(play.brief(), "+a a:S +b +a a:S +a a:S");
    assert_eq!(play.wake(), Some(0.0), "it wants the next poll");
}

#[test]
fn exceeded_budget_ends_the_poll_and_loses_nothing() {
    let tree = times("repeat", 100, sequence([now("a"), now("b")]));
    let mut play = Play::new(tree).with(|runner| runner.budget(50));
    let mut polls = 1;
    while play.again() == R {
        polls += 1;
        assert!(polls < 20);
        assert_eq!(play.wake(), Some(0.0));
    }
    // Three entries an iteration, and two above.
    assert_eq!(polls, 7);
    let log = play.brief();
    assert_eq!(log.matches("+a").count(), 100);
    assert_eq!(log.matches("+b").count(), 100);
    let why = play.diagnostics();
    assert_eq!(why.len(), 6, "one for each");
    assert!(
        why[0].contains("50 nodes") && why[0].contains("nodes 0 > 1"),
        "{why:?}"
    );
}

#[test]
fn exceeded_budget_names_the_cycle() {
    let mut play = Play::new(times("repeat", 1_000_000, now("a")));
    assert_eq!(play.poll(0.0), R);
    let why = play.diagnostics();
    assert!(
        why[0].contains("10000 nodes") && why[0].contains("0 > 1"),
        "{why:?}"
    );
    assert_eq!(play.again(), R);
    assert_eq!(play.brief().matches('+').count(), 9_998 + 10_000);
}

#[test]
fn exceeded_budget_leaves_events_in_the_queue() {
    let other = wait_event("go");
    let busy = times("repeat", 100, now("a"));
    let tree = parallel(2, 1, [busy, sequence([other, now("b")])]);
    let mut play = Play::new(tree).with(|runner| runner.budget(50));
    play.fire("go");
    let mut polls = 1;
    while play.again() == R {
        polls += 1;
        assert!(polls < 9);
    }
    let log = play.brief();
    assert!(log.ends_with("+b b:S"), "{log}");
    assert_eq!(log.matches("+a").count(), 100);
}

#[test]
fn exceeded_budget_in_a_parallel_enters_the_rest_in_the_next_poll() {
    let many = (0..10).map(|number| starts(&format!("l{number}")));
    let mut play = Play::new(parallel(10, 1, many)).with(|runner| runner.budget(6));
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+l0 +l1 +l2 +l3");
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+l4 +l5 +l6 +l7 +l8 +l9");
    for number in 0..10 {
        play.end(&format!("l{number}"), true);
    }
    assert_eq!(play.again(), S);
}

#[test]
fn while_loop_at_once_runs_an_instant_body_again_in_the_same_poll() {
    let tree = || of("while_loop", [now("c"), now("b")]).extra("at_once", true);
    let mut play = Play::new(tree());
    play.reply("c", [true, true, false]);
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.brief(), "+c c:S +b b:S +c c:S +b b:S +c c:F");
    // One that does not end is stopped by the budget.
    let mut play = Play::new(tree()).with(|runner| runner.budget(50));
    assert_eq!(play.poll(0.0), R);
    assert!(play.diagnostics()[0].contains("budget exceeded"));
}

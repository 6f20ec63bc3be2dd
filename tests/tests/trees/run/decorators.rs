//! Decorators, but for loops.

use bt_core::Status;
use bt_core::tree::asset::spec::{node, parallel, select, sequence, wait_event};
use bt_tests::probe::*;

use super::status;

/// The results of a decorator for the ends of its child, one a poll.
fn results(tree: bt_core::tree::asset::spec::NodeSpec, ends: &str) -> (String, String) {
    let mut play = Play::new(tree).looping();
    play.reply("a", ends.chars().map(status));
    let results = ends.chars().map(|_| letter(play.again())).collect();
    (results, play.brief())
}

fn letter(status: Status) -> char {
    match status {
        Status::Success => 'S',
        Status::Failure => 'F',
        Status::Running => 'R',
    }
}

#[test]
fn results_are_turned_round_or_fixed_and_running_stays() {
    for (kind, ends, expect) in [
        ("negative", "SFSR", "FSFR"),
        ("always_true", "SFFR", "SSSR"),
        ("always_false", "SFSR", "FFFR"),
    ] {
        let (results, _) = results(of(kind, [starts("a")]), ends);
        assert_eq!(results, expect, "{kind}");
    }
}

#[test]
fn a_timeout_fails_as_soon_as_the_clock_reaches_it_and_wakes_the_agent() {
    let mut play = Play::new(timed("timeout", 2.5, starts("a")));
    assert_eq!(play.poll(10.0), R);
    assert_eq!(play.wake(), Some(12.5));
    assert_eq!(play.poll(12.499_999_999), R);
    assert_eq!(play.poll(12.5), F);
    assert_eq!(play.brief(), "+a a:A");
    assert_eq!(play.wake(), None);
}

#[test]
fn a_child_that_ends_in_time_stops_the_clock() {
    for end in [true, false] {
        let mut play = Play::new(sequence([
            of("always_true", [timed("timeout", 2.0, starts("a"))]),
            starts("b"),
        ]));
        play.poll(0.0);
        play.end("a", end);
        assert_eq!(play.poll(1.0), R);
        assert_eq!(play.wake(), None);
        assert_eq!(play.poll(5.0), R);
    }
}

#[test]
fn wait_that_was_due_before_the_deadline_wins_in_a_late_poll() {
    // One late poll: the wait ended before the deadline did.
    let mut play = Play::new(timed("timeout", 2.0, wait(1.5)));
    play.poll(0.0);
    assert_eq!(play.poll(9.0), S);
    // Completions that arrived come before timers.
    let mut play = Play::new(timed("timeout", 2.0, starts("a")));
    play.poll(0.0);
    play.end("a", true);
    assert_eq!(play.poll(2.0), S);
    // Two waits in turn, of which the second is over too late.
    let mut play = Play::new(timed("timeout", 2.0, sequence([wait(1.5), wait(1.5)])));
    play.poll(0.0);
    assert_eq!(play.poll(9.0), F, "the second wait counts from that poll");
}

#[test]
fn at_a_deadline_a_polled_child_runs_once_more_and_wins_if_it_ends() {
    for (reply, result, brief) in [
        (R, F, "+a ~a a:A"),
        (S, S, "+a ~a a:S"),
        (F, F, "+a ~a a:F"),
    ] {
        let mut play = Play::new(timed("timeout", 1.0, polled("a")));
        play.poll(0.0);
        play.reply("a", [reply]);
        assert_eq!(play.poll(1.0), result);
        assert_eq!(play.brief(), brief);
    }
    // All of them, and they decide in that very delivery.
    let both = parallel(2, 1, [polled("a"), polled("b")]);
    let mut play = Play::new(timed("timeout", 1.0, both));
    play.poll(0.0);
    play.reply("a", [S]).reply("b", [S]);
    assert_eq!(play.poll(1.0), S);
    assert_eq!(play.brief(), "+a +b ~a a:S ~b b:S");
}

#[test]
fn a_timeout_wins_a_tie_in_time_with_a_wait_below_it() {
    let mut play = Play::new(timed("timeout", 1.0, wait(1.0)));
    play.poll(0.0);
    assert_eq!(play.poll(1.0), F);
    let mut play = Play::new(timed("timeout", 1.0, timed("timeout", 1.0, starts("a"))));
    play.poll(0.0);
    assert_eq!(play.poll(1.0), F);
    assert_eq!(play.brief(), "+a a:A");
}

#[test]
fn timeout_over_a_cancelling_child_fails_once_it_has_exited() {
    let mut play = Play::new(select([timed("timeout", 1.0, slow("a")), now("b")]));
    play.poll(0.0);
    assert_eq!(play.poll(1.0), R);
    assert_eq!(play.brief(), "+a a:A");
    play.end("a", true);
    assert_eq!(play.poll(1.0), S);
    assert_eq!(play.brief(), "a:gone +b b:S");
}

#[test]
fn a_timeout_that_is_being_left_has_no_say() {
    let inner = timed("timeout", 1.0, slow("a"));
    let mut play = Play::new(sequence([parallel(1, 1, [inner, starts("b")]), now("c")]));
    play.poll(0.0);
    play.end("b", true);
    assert_eq!(play.poll(0.5), R);
    assert_eq!(play.wake(), None);
    assert_eq!(play.poll(1.0), R);
    play.end("a", true);
    assert_eq!(play.poll(2.0), S);
    assert_eq!(play.brief(), "+a +b b:S a:A a:gone +c c:S");
}

#[test]
fn a_timeout_counts_anew_each_time_it_is_entered() {
    let mut play = Play::new(timed("timeout", 1.0, starts("a"))).looping();
    play.poll(0.0);
    assert_eq!(play.poll(1.0), R, "the next run has begun");
    assert_eq!(play.wake(), Some(2.0));
    play.poll(1.9);
    assert_eq!(play.brief(), "+a a:A +a");
}

#[test]
fn a_delay_enters_its_child_when_the_clock_has_reached_it() {
    let mut play = Play::new(timed("delay", 1.5, now("a")));
    assert_eq!(play.poll(4.0), R);
    assert_eq!(play.wake(), Some(5.5));
    assert_eq!(play.poll(5.4), R);
    assert_eq!(play.brief(), "");
    assert_eq!(play.poll(5.5), S);
    assert_eq!(play.brief(), "+a a:S");
    assert_eq!(Play::new(timed("delay", 0.0, now("a"))).poll(0.0), S);
}

#[test]
fn a_delay_that_is_aborted_enters_nothing() {
    let delayed = timed("delay", 1.0, now("a"));
    let mut play = Play::new(parallel(1, 1, [delayed, starts("b")]));
    play.poll(0.0);
    play.end("b", true);
    assert_eq!(play.poll(2.0), S);
    assert_eq!(play.brief(), "+b b:S");
}

#[test]
fn a_cooldown_starts_when_the_child_ends_and_fails_while_cooling() {
    let mut play = Play::new(timed("cooldown", 2.0, starts("a"))).looping();
    play.reply("a", [R, F]);
    play.poll(0.0);
    play.end("a", true);
    assert_eq!(play.poll(5.0), F, "the next run, refused");
    assert_eq!(play.brief(), "+a a:S");
    assert_eq!(play.poll(6.999), F);
    assert_eq!(play.brief(), "");
    assert_eq!(play.poll(7.0), F, "the child's own");
    assert_eq!(play.brief(), "+a a:F");
    assert_eq!(play.poll(8.0), F);
    assert_eq!(play.brief(), "", "a failure starts it, too");
}

#[test]
fn a_cooldown_on_success_only_is_not_started_by_a_failure() {
    let cooldown = timed("cooldown", 2.0, now("a")).extra("on", "success");
    let mut play = Play::new(cooldown).looping();
    play.reply("a", [F, S, S]);
    assert_eq!(play.poll(0.0), F);
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.poll(1.0), F);
    assert_eq!(play.poll(2.0), S);
    assert_eq!(play.brief(), "+a a:F +a a:S +a a:S");
}

#[test]
fn a_cooldown_is_not_started_by_an_abort() {
    let mut play = Play::new(timed("cooldown", 9.0, starts("a")));
    play.poll(0.0);
    play.stop().runner.start();
    assert_eq!(play.poll(1.0), R);
    assert_eq!(play.brief(), "+a a:A +a");
}

#[test]
fn a_cooldown_does_not_run_while_paused() {
    let mut play = Play::new(timed("cooldown", 2.0, now("a"))).looping();
    play.poll(0.0);
    play.runner.pause();
    play.poll(10.0);
    play.runner.resume();
    assert_eq!(play.poll(11.0), F, "one second of it was paused for");
    assert_eq!(play.poll(13.0), S);
}

#[test]
fn a_run_limit_counts_completed_runs_and_fails_afterwards() {
    for (on, ends, expect) in [
        ("all", "SFSS", "SFFF"),
        ("success", "SFSS", "SFSF"),
        ("failure", "SFSFS", "SFSFF"),
    ] {
        let limit = times("run_limit", 2, starts("a")).extra("on", on);
        let (results, _) = results(limit, ends);
        assert_eq!(results, expect, "{on}");
    }
    let (results, brief) = results(times("run_limit", 2, now("a")), "SSSS");
    assert_eq!(
        (results.as_str(), brief.as_str()),
        ("SSFF", "+a a:S +a a:S")
    );
}

#[test]
fn an_abort_does_not_count_as_a_run() {
    let mut play = Play::new(times("run_limit", 1, starts("a")));
    for _ in 0..3 {
        assert_eq!(play.again(), R);
        play.stop().runner.start();
    }
    play.reply("a", [S]);
    assert_eq!(play.again(), S);
    play.runner.start();
    assert_eq!(play.again(), F);
}

#[test]
fn a_run_limit_starts_afresh_when_its_condition_holds_on_entry() {
    let ask = serde_json::json!({"condition_name": "holds",
        "condition_args": [{"arg_type": "plain", "arg_value": "x"}]});
    let limit = times("run_limit", 1, now("a")).extra("reset_if", ask);
    let mut play = Play::new(limit).looping();
    assert_eq!(play.polls(), [S, F, F]);
    play.flag("x", true);
    assert_eq!(play.polls(), [S, S]);
    play.flag("x", false);
    assert_eq!(play.again(), F);
}

#[test]
fn success_until_and_failure_until_turn_at_the_last_of_their_ends() {
    for (kind, count, ends, expect) in [
        ("success_until", 3, "FSFSF", "SSFFF"),
        ("failure_until", 3, "FSFSF", "FFSSS"),
        ("success_until", 1, "SSS", "FFF"),
        ("failure_until", 1, "FFF", "SSS"),
        ("success_until", -1, "FSFFF", "SSSSS"),
        ("failure_until", -1, "FSSSS", "FFFFF"),
    ] {
        let (results, _) = results(times(kind, count, starts("a")), ends);
        assert_eq!(results, expect, "{kind} {count}");
    }
}

#[test]
fn once_repeats_the_first_result() {
    for (ends, expect) in [("SFF", "SSS"), ("FSS", "FFF")] {
        let (results, brief) = results(of("once", [starts("a")]), ends);
        assert_eq!(results, expect);
        assert_eq!(brief.matches('+').count(), 1);
    }
    // An abort is no result.
    let mut play = Play::new(of("once", [starts("a")]));
    play.poll(0.0);
    play.stop().runner.start();
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+a a:A +a");
}

#[test]
fn retained_counters_outlive_ends_aborts_and_restarts_and_reset_clears_them() {
    for kind in [
        "cooldown",
        "run_limit",
        "once",
        "success_until",
        "failure_until",
    ] {
        let counted = node(kind)
            .extra("seconds", 100)
            .extra("count", if kind == "run_limit" { 1 } else { 2 });
        let mut play = Play::new(sequence([
            of("always_true", [counted.child(now("a"))]),
            starts("b"),
        ]));
        let enters = |play: &mut Play| {
            play.again();
            let entered = play.brief().contains("+a");
            play.stop().runner.start();
            entered
        };
        assert!(enters(&mut play), "{kind}");
        assert_eq!(enters(&mut play), kind.ends_with("until"), "{kind}");
        play.runner.reset();
        play.again();
        assert!(play.brief().contains("+a"), "{kind}");
    }
}

#[test]
fn counts_are_kept_over_stop_and_start_by_their_results() {
    for (kind, first, later) in [("success_until", S, F), ("failure_until", F, S)] {
        let mut play = Play::new(times(kind, 2, now("a")));
        assert_eq!(play.again(), first);
        play.runner.start();
        assert_eq!(play.again(), later);
        play.stop().runner.start();
        assert_eq!(play.again(), later);
        play.runner.reset();
        assert_eq!(play.again(), first);
    }
}

#[test]
fn an_agents_own_decorator_says_what_comes_next() {
    let mut play = Play::new(sequence([limits("l", 2, starts("a")), now("b")]));
    play.poll(0.0);
    play.end("a", false);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+a a:F +a");
    play.end("a", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "a:S +b b:S");
    // Asked on entry, too.
    let mut play = Play::new(limits("l", 0, starts("a")));
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.brief(), "");
}

#[test]
fn frames_succeeds_in_its_last_poll_after_the_child_ran_in_it() {
    let mut play = Play::new(times("frames", 3, polled("a")));
    assert_eq!(play.polls(), [R, R, S]);
    assert_eq!(play.brief(), "+a ~a ~a a:A");
    let mut play = Play::new(times("frames", 1, polled("a")));
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+a a:A");
}

#[test]
fn frames_gives_all_below_its_turn_in_its_last_poll() {
    let reactive = of("reactive_sequence", [now("a"), starts("b")]);
    for (child, log) in [
        (times("loop", -1, now("a")), "+a a:S"),
        (sequence([frames(3), now("a")]), "+a a:S"),
        (reactive, "+a a:S b:A"),
    ] {
        let mut play = Play::new(of("frames", [child]).extra("count", 3));
        assert_eq!(play.polls(), [R, R]);
        play.brief();
        assert_eq!(play.again(), S);
        assert_eq!(play.brief(), log);
    }
}

#[test]
fn frames_without_a_budget_for_its_last_poll_goes_on_in_the_next() {
    let child = sequence([
        polled("p"),
        now("a"),
        now("b"),
        now("c"),
        now("d"),
        now("e"),
    ]);
    let play = Play::new(of("frames", [child]).extra("count", 2));
    let mut play = play.with(|runner| runner.budget(4));
    play.reply("p", [R, S]);
    assert_eq!(play.polls(), [R, R, S]);
    assert!(play.brief().ends_with("d:S +e e:S"));
}

#[test]
fn frames_enters_a_child_that_ended_again_in_the_next_poll() {
    let mut play = Play::new(times("frames", 3, now("a")));
    play.reply("a", [S, F]);
    assert_eq!(play.polls(), [R, R, S]);
    assert_eq!(play.brief(), "+a a:S +a a:F +a a:S");
    // One that a delivery ended in this poll, too.
    let mut play = Play::new(times("frames", 4, starts("a")));
    play.again();
    play.end("a", true);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+a a:S");
    assert_eq!(play.polls(), [R, S]);
    assert_eq!(play.brief(), "+a a:A");
}

#[test]
fn frames_of_none_succeeds_without_a_run() {
    let mut play = Play::new(times("frames", 0, now("a")));
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.brief(), "");
}

#[test]
fn frames_around_a_wait_for_an_event_take_it_in_their_last_poll() {
    let mut play = Play::new(times("frames", 2, sequence([wait_event("go"), now("a")])));
    play.poll(0.0);
    play.fire("go");
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+a a:S");
}

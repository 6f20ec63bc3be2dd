//! Parameters, arguments and attachments that changed hold from now on.

use bt_core::tree::asset::spec::{
    NodeSpec, expr, negative, node, parallel, select, sequence, sub_tree, wait_event,
};
use bt_tests::probe::*;
use serde_json::{Value, json};

use super::harness::*;

#[test]
fn durations_count_from_the_original_entry() {
    let top = |seconds, polls, timeout| {
        let leaves = [n(2, wait(seconds)), n(3, frames(polls))];
        n(1, timed("timeout", timeout, n(4, parallel(2, 1, leaves))))
    };
    let mut play = play(top(10.0, 4, 60.0));
    play.poll(0.0);
    change(&mut play, top(20.0, 6, 30.0));
    assert_eq!([play.poll(1.0), play.poll(2.0), play.poll(3.0)], [R, R, R]);
    assert_eq!(play.poll(4.0), R);
    // The frames are over in the sixth poll.
    assert_eq!(play.wake(), Some(4.0));
    assert_eq!(play.poll(5.0), R);
    assert_eq!(play.wake(), Some(20.0));
    change(&mut play, top(40.0, 6, 30.0));
    play.poll(6.0);
    assert_eq!(play.wake(), Some(30.0));
    assert_eq!(play.poll(30.0), F);
}

#[test]
fn a_wait_that_is_shorter_now_may_be_over() {
    let mut play = play(n(1, sequence([n(2, wait(60.0)), n(3, now("a"))])));
    play.poll(0.0);
    change(&mut play, n(1, sequence([n(2, wait(5.0)), n(3, now("a"))])));
    assert_eq!(play.poll(10.0), S);
    assert_eq!(play.brief(), "+a a:S");
}

#[test]
fn a_delay_that_is_longer_now_waits_longer() {
    let top = |seconds| n(1, timed("delay", seconds, n(2, now("a"))));
    let mut play = play(top(5.0));
    play.poll(0.0);
    change(&mut play, top(8.0));
    assert_eq!(play.poll(5.0), R);
    assert_eq!(play.poll(8.0), S);
}

#[test]
fn thresholds_are_checked_in_the_next_turn() {
    let top = |most| {
        n(
            1,
            parallel(
                most,
                3,
                [n(2, starts("a")), n(3, starts("b")), n(4, starts("c"))],
            ),
        )
    };
    let mut play = play(top(3));
    play.poll(0.0);
    play.end("a", true);
    play.poll(1.0);
    assert_eq!(play.brief(), "+a +b +c a:S");
    change(&mut play, top(1));
    assert_eq!(play.poll(2.0), S);
    assert_eq!(play.brief(), "c:A b:A");
}

#[test]
fn limits_are_checked_in_the_next_turn() {
    for (kind, result) in [
        ("repeat", S),
        ("retry", F),
        ("until_success", F),
        ("loop", S),
    ] {
        let top = |count| n(1, times(kind, count, n(2, starts("a"))));
        let mut play = play(top(5));
        play.poll(0.0);
        for _ in 0..2 {
            play.end("a", kind == "repeat");
            assert_eq!([play.again(), play.again()], [R, R], "{kind}");
        }
        play.brief();
        change(&mut play, top(3));
        assert_eq!(play.again(), R, "{kind}: the third may run");
        assert_eq!(play.brief(), "", "{kind}");
        change(&mut play, top(2));
        assert_eq!(play.again(), result, "{kind}");
        assert_eq!(play.brief(), "a:A", "{kind}");
    }
}

#[test]
fn a_guard_that_is_added_and_does_not_hold_aborts_in_the_next_turn() {
    let guarded = || n(2, starts("a").guard(guard_holds("ok").set("abort", "self")));
    let mut play = play(n(1, select([n(2, starts("a")), n(3, now("b"))])));
    play.poll(0.0);
    assert_eq!(play.brief(), "+a");
    play.flag("ok", true);
    change(&mut play, n(1, select([guarded(), n(3, now("b"))])));
    assert_eq!(play.poll(1.0), R);
    assert_eq!(play.brief(), "?ok");
    play.flag("ok", false);
    assert_eq!(play.poll(2.0), S);
    assert_eq!(play.brief(), "?ok a:A +b b:S");
}

#[test]
fn an_added_lower_guard_that_holds_takes_over() {
    let lower = || {
        n(
            4,
            starts("c").guard(guard_key("alarm").set("abort", "lower")),
        )
    };
    let mut play = play(n(1, select([n(2, starts("a")), n(3, now("b"))])));
    play.set("alarm", true);
    play.poll(0.0);
    assert_eq!(play.brief(), "+a");
    change(
        &mut play,
        n(1, select([lower(), n(2, starts("a")), n(3, now("b"))])),
    );
    play.poll(1.0);
    assert_eq!(play.brief(), "a:A +c");
}

#[test]
fn an_added_lower_guard_that_does_not_hold_waits_for_its_key() {
    let lower = || {
        n(
            4,
            starts("c").guard(guard_key("alarm").set("abort", "lower")),
        )
    };
    let mut play = play(n(1, select([n(2, starts("a")), n(3, now("b"))])));
    play.poll(0.0);
    change(
        &mut play,
        n(1, select([lower(), n(2, starts("a")), n(3, now("b"))])),
    );
    play.poll(1.0);
    assert_eq!(play.brief(), "+a");
    play.set("alarm", true);
    play.poll(2.0);
    assert_eq!(play.brief(), "a:A +c");
}

#[test]
fn a_guard_that_stays_is_not_asked_again() {
    let guarded = || starts("a").guard(guard_key("ok").set("abort", "both"));
    let top = |last| n(1, select([n(2, guarded()), n(3, now(last))]));
    let mut play = play(top("b"));
    play.set("ok", true);
    play.poll(0.0);
    assert_eq!(play.brief(), "+a");
    change(&mut play, top("c"));
    play.poll(1.0);
    play.set("ok", false);
    assert_eq!(play.poll(2.0), S);
    assert_eq!(play.brief(), "a:A +c c:S");
}

#[test]
fn new_services_run_and_changed_ones_count_from_their_last_run() {
    let note = |line: &str| bt_core::tree::asset::spec::call("note").arg(line);
    let mut play = play(n(1, starts("a").service(10.0, note("old"))));
    play.poll(0.0);
    assert_eq!(play.brief(), "old +a");
    let both = starts("a")
        .service(4.0, note("old"))
        .service(5.0, note("old"));
    change(&mut play, n(1, both));
    play.poll(3.0);
    assert_eq!(play.brief(), "old", "the second is new");
    play.poll(4.0);
    assert_eq!(play.brief(), "old", "the first ran at 0");
    play.poll(8.0);
    assert_eq!(play.brief(), "old old");
}

#[test]
fn effects_are_the_new_ones() {
    let mut play = play(n(1, starts("a")));
    play.poll(0.0);
    let note = bt_core::tree::asset::spec::call("note").arg("bye");
    change(&mut play, n(1, starts("a").effect("exit", note)));
    play.poll(1.0);
    play.end("a", true);
    assert_eq!(play.poll(2.0), S);
    assert_eq!(play.brief(), "+a a:S bye");
}

#[test]
fn a_polled_action_is_called_with_its_new_arguments() {
    let top = |name| {
        n(
            1,
            sequence([n(2, bt_core::tree::asset::spec::action("tells").arg(name))]),
        )
    };
    let mut play = play(top("a"));
    play.poll(0.0);
    assert_eq!(play.brief(), "tell a");
    change(&mut play, top("b"));
    play.poll(1.0);
    assert_eq!(play.brief(), "tell b");
    assert!(report(&play).is_quiet());
}

#[test]
fn a_pending_call_whose_arguments_changed_is_aborted_and_called_again() {
    let top = |name| {
        n(
            1,
            sequence([n(2, paired("n", starts(name))), n(3, now("z"))]),
        )
    };
    let mut play = play(top("a"));
    play.poll(0.0);
    assert_eq!(play.brief(), "+n +a");
    change(&mut play, top("b"));
    assert_eq!(play.poll(1.0), R);
    assert_eq!(play.brief(), "a:A -n +n +b");
    assert_eq!(numbers(report(&play).entered()), [2]);
    play.end("b", true);
    assert_eq!(play.poll(2.0), S);
    assert_eq!(play.brief(), "b:S -n +z z:S");
}

#[test]
fn another_method_is_another_call() {
    let mut play = play(n(1, sequence([n(2, polled("a"))])));
    play.poll(0.0);
    change(&mut play, n(1, sequence([n(2, starts("a"))])));
    play.poll(1.0);
    assert_eq!(play.brief(), "+a a:A +a");
}

#[test]
fn a_sub_tree_with_a_new_target_is_aborted() {
    let top = |name| ("main", n(1, sequence([n(2, sub_tree(name))])));
    let one = || ("one", n(1, starts("a")));
    let two = || ("two", n(1, starts("b")));
    let mut play = plays([top("one"), one(), two()]);
    play.poll(0.0);
    changes(&mut play, [top("two"), one(), two()]);
    play.poll(1.0);
    assert_eq!(play.brief(), "+a a:A +b");
}

#[test]
fn a_wait_for_another_event_waits_for_that() {
    let top = |event: &str| n(1, sequence([n(2, wait_event(event))]));
    let mut play = play(top("go"));
    play.poll(0.0);
    change(&mut play, top("told"));
    play.fire("go");
    assert_eq!(play.poll(1.0), R);
    play.fire("told");
    assert_eq!(play.poll(2.0), S);
}

/// A parallel, of which `l2` has failed and `l3` runs.
fn decides_late(rerun: bool) -> (Play, impl Fn(bool) -> NodeSpec) {
    let top = |rerun| {
        let leaves = [n(2, polled("l2")), n(3, polled("l3")), n(4, polled("l4"))];
        n(1, parallel(1, 3, leaves).extra("rerun", rerun))
    };
    let mut play = play(top(rerun));
    play.reply("l2", [false, false, false]);
    for leaf in ["l3", "l4"] {
        play.reply(leaf, [Reply::On, Reply::On, Reply::On]);
    }
    play.poll(0.0);
    assert_eq!(play.brief(), "+l2 l2:F +l3 +l4");
    (play, top)
}

#[test]
fn a_parallel_that_runs_its_children_again_no_more_keeps_their_results() {
    let (mut play, top) = decides_late(true);
    change(&mut play, top(false));
    assert_eq!(play.poll(1.0), R);
    assert_eq!(play.brief(), "~l3 ~l4");
    play.reply("l3", [false]);
    play.poll(2.0);
    assert_eq!(play.poll(3.0), R);
}

#[test]
fn a_parallel_that_is_to_run_its_children_again_does_so_in_the_next_turn() {
    let (mut play, top) = decides_late(false);
    assert_eq!(play.poll(0.5), R);
    assert_eq!(play.brief(), "~l3 ~l4");
    change(&mut play, top(true));
    assert_eq!(play.poll(1.0), R);
    assert_eq!(play.brief(), "+l2 l2:F ~l3 ~l4");
}

#[test]
fn a_parallel_forgets_the_result_of_a_removed_child_that_it_ran_again() {
    let (mut play, top) = decides_late(true);
    change(&mut play, top(false));
    assert_eq!(play.poll(1.0), R);
    assert_eq!(play.brief(), "~l3 ~l4");
    let leaves = [n(5, starts("l5")), n(3, polled("l3")), n(4, polled("l4"))];
    change(&mut play, n(1, parallel(1, 1, leaves)));
    assert_eq!(play.poll(2.0), R);
    assert_eq!(play.brief(), "+l5 ~l3 ~l4");
}

#[test]
fn a_lower_guard_below_an_adopted_select_takes_over_in_the_turn_of_the_same_poll() {
    let calm = || guard_key("alarm").set("abort", "both").negated();
    let mut play = play(n(1, polled("a")));
    play.poll(0.0);
    assert_eq!(play.brief(), "+a");
    let first = n(4, polled("b").guard(calm()));
    change(&mut play, n(3, select([first, n(1, polled("a"))])));
    play.poll(1.0);
    assert_eq!(play.brief(), "a:A +b");
}

#[test]
fn a_guarded_child_that_is_moved_left_of_what_runs_takes_over() {
    let calm = || guard_key("alarm").set("abort", "both").negated();
    let (running, guarded) = (|| n(2, starts("a")), || n(3, starts("b").guard(calm())));
    for kind in ["select", "memory_select"] {
        let mut play = play(n(1, of(kind, [running(), guarded()])));
        play.poll(0.0);
        assert_eq!(play.brief(), "+a", "{kind}");
        change(&mut play, n(1, of(kind, [guarded(), running()])));
        play.poll(1.0);
        assert_eq!(play.brief(), "a:A +b", "{kind}");
    }
}

#[test]
fn what_is_due_at_the_same_time_since_a_reload_comes_in_the_order_in_which_it_was_due_before() {
    let top = |seconds| {
        let first = n(2, sequence([n(3, wait(seconds)), n(4, now("a"))]));
        let second = n(5, sequence([n(6, wait(1.0)), n(7, now("b"))]));
        n(1, parallel(2, 1, [first, second]))
    };
    let mut play = play(top(4.0));
    play.poll(0.0);
    change(&mut play, top(1.0));
    assert_eq!(play.poll(2.0), S);
    assert_eq!(play.brief(), "+b b:S +a a:S");
}

#[test]
fn a_time_that_becomes_an_expression_keeps_its_place_among_those_that_are_due_with_it() {
    let note = |line: &str| bt_core::tree::asset::spec::call("note").arg(line);
    let top = |first: Value, second: f64| {
        let first = n(2, starts("a").service(first, note("first")));
        let second = n(3, starts("b").service(second, note("second")));
        n(1, parallel(2, 1, [first, second]))
    };
    // The same time, a shorter one, and a longer one: in the order in which they were due before.
    for (was, is, order) in [
        (json!(2.0), expr("$two").into(), "first second"),
        (expr("$two + 1").into(), expr("$two").into(), "second first"),
        (json!(1.5), expr("$two").into(), "first second"),
        (expr("$two").into(), json!(2.0), "first second"),
    ] {
        let mut play = play(top(was, 2.0));
        play.set("two", 2.0);
        play.poll(0.0);
        assert_eq!(play.brief(), "first +a second +b");
        change(&mut play, top(is, 2.0));
        assert_eq!(play.poll(2.0), R);
        assert_eq!(play.brief(), order);
    }
}

#[test]
fn a_delay_that_becomes_an_expression_keeps_its_place_among_those_that_are_due_with_it() {
    for kind in ["delay", "timeout"] {
        let top = |seconds: Value| {
            let leaf = if kind == "delay" {
                now("a")
            } else {
                starts("a")
            };
            let first = n(2, node(kind).child(n(3, leaf)).extra("seconds", seconds));
            let second = n(5, sequence([n(6, wait(1.0)), n(7, now("b"))]));
            n(1, parallel(2, 2, [first, second]))
        };
        let mut play = play(top(json!(1.0)));
        play.poll(0.0);
        play.brief();
        play.set("one", 1.0);
        change(&mut play, top(expr("$one").into()));
        play.poll(2.0);
        let expected = if kind == "delay" {
            "+a a:S +b b:S"
        } else {
            "a:A +b b:S"
        };
        assert_eq!(play.brief(), expected, "{kind}");
    }
}

#[test]
fn a_success_until_that_gets_a_count_counts_from_then_on() {
    let top = |count| n(1, times("success_until", count, n(2, now("a"))));
    let mut play = play(top(-1)).looping();
    assert_eq!([play.poll(0.0), play.poll(1.0)], [S, S]);
    change(&mut play, top(2));
    assert_eq!([play.poll(2.0), play.poll(3.0)], [S, F]);
}

#[test]
fn a_service_with_another_method_runs_at_once() {
    let top = |call| n(1, starts("a").service(10.0, call));
    let call = |name: &str| bt_core::tree::asset::spec::call(name).arg("said");
    let mut play = play(top(call("note")));
    play.poll(0.0);
    assert_eq!(play.brief(), "said +a");
    change(&mut play, top(call("now")));
    play.poll(1.0);
    assert_eq!(play.brief(), "+said said:S");
    assert_eq!(play.wake(), Some(11.0));
}

#[test]
fn an_added_lower_guard_takes_over_in_the_next_run_if_the_first_ends_before_the_turn() {
    let alarm = || guard_key("alarm").set("abort", "lower");
    let top = |first| n(1, of("memory_select", [first, n(3, wait_event("go"))]));
    let mut play = play(top(n(2, negative(now("z"))))).looping();
    play.set("alarm", true);
    play.poll(0.0);
    assert_eq!(play.brief(), "+z z:S");
    change(&mut play, top(n(5, starts("c").guard(alarm()))));
    play.fire("go");
    play.poll(1.0);
    assert_eq!(
        play.brief(),
        "",
        "it continues at the child that it remembers"
    );
    play.poll(2.0);
    assert_eq!(play.brief(), "+c");
}

#[test]
fn action_fails_by_a_new_number_that_cannot_be_read_once_it_has_exited() {
    for leaf in [starts, polled] {
        let note = bt_core::tree::asset::spec::call("note").arg("said");
        let mut play = play(n(1, leaf("a")));
        play.poll(0.0);
        assert_eq!(play.brief(), "+a");
        change(&mut play, n(1, leaf("a").service(expr("$unset"), note)));
        assert_eq!(play.poll(1.0), F);
        assert_eq!(play.brief(), "a:F");
    }
}

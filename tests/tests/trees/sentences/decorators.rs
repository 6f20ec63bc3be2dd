//! Chapter "Decorators": what repeats, what counts, what waits.

use bt_core::Status::{Failure, Running, Success};
use bt_tests::cases::{Abort, Kind, Node, Op};

use crate::text::harness::{
    Attach, check, check_looping, node, now, parallel, pend, run, select, sequence, timeout, wait,
};

fn sleep(quarters: u64) -> Node {
    node(Kind::Wait(quarters), [])
}

fn cooldown(time: u64, on_success: bool, child: Node) -> Node {
    node(Kind::Cooldown { time, on_success }, [child])
}

fn run_limit(count: u64, on: Option<bool>, child: Node) -> Node {
    let reset_if = None;
    let kind = Kind::RunLimit {
        count,
        on,
        reset_if,
    };
    node(kind, [child])
}

/// A node that takes over while `k0` turns true, and fails in its second call.
fn takes_over() -> Node {
    run("x", "RFRFRF").guard("k0", Abort::Lower)
}

#[test]
fn count_of_0_runs_nothing() {
    let all = [
        (Kind::Repeat(0), Success),
        (Kind::Retry(0), Failure),
        (Kind::UntilSuccess(0), Failure),
        (Kind::UntilFailure(0), Failure),
        (Kind::Loop(0), Success),
        (Kind::Frames(0), Success),
        (Kind::Limits(0), Success),
        (
            Kind::RunLimit {
                count: 0,
                on: None,
                reset_if: None,
            },
            Failure,
        ),
    ];
    for (kind, result) in all {
        check(node(kind, [now("a", "")]), &[(&[], result, "")]);
    }
}

#[test]
fn counted_loops_iterate_in_the_same_poll() {
    let all = [
        (Kind::Repeat(3), "SSS", Success, "+a a:S +a a:S +a a:S"),
        (Kind::Repeat(3), "SFS", Failure, "+a a:S +a a:F"),
        (Kind::Retry(3), "FFF", Failure, "+a a:F +a a:F +a a:F"),
        (Kind::Retry(3), "FSF", Success, "+a a:F +a a:S"),
        (Kind::UntilSuccess(3), "FS", Success, "+a a:F +a a:S"),
        (Kind::UntilSuccess(2), "FF", Failure, "+a a:F +a a:F"),
        (Kind::UntilFailure(3), "SF", Success, "+a a:S +a a:F"),
        (Kind::UntilFailure(2), "SS", Failure, "+a a:S +a a:S"),
    ];
    for (kind, replies, result, log) in all {
        check(node(kind, [now("a", replies)]), &[(&[], result, log)]);
    }
}

#[test]
fn repeat_counts_iterations_over_polls() {
    check(
        node(Kind::Repeat(2), [run("a", "RSRS")]),
        &[
            (&[], Running, "+a"),
            (&[], Running, "~a a:S +a"),
            (&[], Success, "~a a:S"),
        ],
    );
}

#[test]
fn retry_that_was_aborted_has_all_its_attempts_again() {
    let retry = node(Kind::Retry(2), [run("a", "FRFF")]);
    check(
        select([takes_over(), retry]),
        &[
            (&[], Running, "+a a:F +a"),
            (&[Op::Key("k0", true)], Running, "a:A +x"),
            (&[], Failure, "~x x:F +a a:F +a a:F"),
        ],
    );
}

#[test]
fn loop_iterates_once_a_poll_and_ends_with_its_last() {
    check(
        node(Kind::Loop(2), [now("a", "FS")]),
        &[(&[], Running, "+a a:F"), (&[], Success, "+a a:S")],
    );
}

#[test]
fn loop_whose_child_ended_in_the_turn_iterates_in_the_next_poll() {
    check(
        node(Kind::Loop(2), [run("a", "RSRS")]),
        &[
            (&[], Running, "+a"),
            (&[], Running, "~a a:S"),
            (&[], Running, "+a"),
            (&[], Success, "~a a:S"),
        ],
    );
}

#[test]
fn loop_whose_child_ended_by_a_delivery_iterates_in_the_next_poll() {
    check(
        node(Kind::Loop(2), [sequence([wait("go"), now("a", "")])]),
        &[
            (&[], Running, ""),
            (&[Op::Fire("go")], Running, "+a a:S"),
            // The wait is entered after this delivery.
            (&[Op::Fire("go")], Running, ""),
            (&[Op::Fire("go")], Success, "+a a:S"),
        ],
    );
}

#[test]
fn timeout_counts_first_what_was_due_before_its_deadline() {
    check(
        timeout(4, sequence([sleep(2), now("x", "")])),
        &[(&[], Running, ""), (&[Op::Poll(8)], Success, "+x x:S")],
    );
    check(
        timeout(4, sequence([wait("go"), now("x", "")])),
        &[
            (&[], Running, ""),
            (&[Op::Fire("go"), Op::Poll(8)], Success, "+x x:S"),
        ],
    );
    // The second wait counts from the poll.
    check(
        timeout(4, sequence([sleep(2), sleep(1), now("x", "")])),
        &[(&[], Running, ""), (&[Op::Poll(8)], Failure, "")],
    );
}

#[test]
fn timeout_calls_polled_children_once_more_at_its_deadline() {
    check(
        timeout(4, run("a", "RS")),
        &[(&[], Running, "+a"), (&[Op::Poll(4)], Success, "~a a:S")],
    );
    check(
        timeout(4, parallel(2, 2, [run("a", "RS"), run("b", "")])),
        &[
            (&[], Running, "+a +b"),
            (&[Op::Poll(4)], Failure, "~a a:S ~b b:A"),
        ],
    );
}

#[test]
fn outer_timeout_goes_first_when_both_are_due() {
    check(
        timeout(4, node(Kind::AlwaysTrue, [timeout(4, run("a", ""))])),
        &[(&[], Running, "+a"), (&[Op::Poll(4)], Failure, "~a a:A")],
    );
}

#[test]
fn inner_timeout_that_is_due_first_goes_first() {
    let inner = select([timeout(4, run("a", "")), run("b", "")]);
    check(
        timeout(8, inner.clone()),
        &[
            (&[], Running, "+a"),
            (&[Op::Poll(4)], Running, "~a a:A +b"),
            (&[Op::Poll(4)], Failure, "~b b:A"),
        ],
    );
    // In one late poll: `b` was entered in it, and so has had its turn.
    check(
        timeout(8, inner),
        &[
            (&[], Running, "+a"),
            (&[Op::Poll(8)], Failure, "~a a:A +b b:A"),
        ],
    );
}

#[test]
fn deadline_calls_what_is_below_it_and_the_turn_the_rest() {
    let first = node(Kind::AlwaysTrue, [timeout(4, run("a", ""))]);
    check(
        parallel(3, 1, [run("p", ""), first, run("q", "")]),
        &[
            (&[], Running, "+p +a +q"),
            (&[Op::Poll(4)], Running, "~a a:A ~p ~q"),
        ],
    );
}

#[test]
fn polled_child_that_survives_an_inner_deadline_is_not_called_again_in_the_turn() {
    let inner = parallel(2, 2, [timeout(4, pend("w")), run("a", "")]);
    check(
        inner,
        &[
            (&[], Running, "+w +a"),
            (&[Op::Poll(4)], Running, "w:A ~a"),
            (&[], Running, "~a"),
        ],
    );
}

#[test]
fn timeout_counts_from_each_entry() {
    check(
        node(Kind::Retry(2), [timeout(4, pend("a"))]),
        &[
            (&[], Running, "+a"),
            (&[Op::Poll(6)], Running, "a:A +a"),
            (&[Op::Poll(3)], Running, ""),
            (&[Op::Poll(1)], Failure, "a:A"),
        ],
    );
}

#[test]
fn delay_counts_from_each_entry() {
    check(
        node(Kind::Repeat(2), [node(Kind::Delay(2), [now("a", "")])]),
        &[
            (&[], Running, ""),
            (&[Op::Poll(6)], Running, "+a a:S"),
            (&[Op::Poll(1)], Running, ""),
            (&[Op::Poll(1)], Success, "+a a:S"),
        ],
    );
}

#[test]
fn timeout_around_a_delay_of_the_same_time_wins() {
    check(
        timeout(4, node(Kind::Delay(4), [now("a", "")])),
        &[(&[], Running, ""), (&[Op::Poll(4)], Failure, "")],
    );
}

#[test]
fn cooldown_fails_until_its_time_is_over() {
    check_looping(
        select([cooldown(4, false, now("a", "SF")), now("b", "")]),
        &[
            (&[], Success, "+a a:S"),
            (&[], Success, "+b b:S"),
            (&[Op::Poll(3)], Success, "+b b:S"),
            (&[Op::Poll(1)], Success, "+a a:F +b b:S"),
            (&[Op::Poll(3)], Success, "+b b:S"),
        ],
    );
}

#[test]
fn cooldown_starts_when_the_child_ends() {
    check_looping(
        select([cooldown(4, false, run("a", "RS")), now("b", "")]),
        &[
            (&[], Running, "+a"),
            (&[Op::Poll(4)], Success, "~a a:S +b b:S"),
            (&[Op::Poll(3)], Success, "+b b:S"),
            (&[Op::Poll(1)], Running, "+a"),
        ],
    );
}

#[test]
fn cooldown_outlives_a_stop_and_not_a_reset() {
    check_looping(
        select([cooldown(4, false, now("a", "")), now("b", "")]),
        &[
            (&[], Success, "+a a:S"),
            (&[Op::Stop, Op::Start], Success, "+b b:S"),
            (&[Op::Reset], Success, "+a a:S"),
            (&[], Success, "+b b:S"),
        ],
    );
}

#[test]
fn cooldown_rests_in_a_pause() {
    check_looping(
        select([cooldown(4, false, now("a", "")), now("b", "")]),
        &[
            (&[], Success, "+a a:S"),
            (&[Op::Pause, Op::Poll(8)], Running, ""),
            (&[Op::Resume], Success, "+b b:S"),
            (&[Op::Poll(3)], Success, "+b b:S"),
            (&[Op::Poll(1)], Success, "+a a:S"),
        ],
    );
}

#[test]
fn cooldown_that_a_guard_refuses_does_not_start() {
    let cooled = cooldown(4, false, now("a", "")).guard("k0", Abort::None);
    check_looping(
        select([cooled, now("b", "")]),
        &[
            (&[], Success, "+b b:S"),
            (&[Op::Key("k0", true)], Success, "+a a:S"),
            (&[], Success, "+b b:S"),
        ],
    );
}

#[test]
fn cooldown_whose_child_a_guard_refuses_starts() {
    // The guard is the child's: that has ended with a failure.
    let cooled = cooldown(4, false, now("a", "").guard("k0", Abort::None));
    check_looping(
        select([cooled, now("b", "")]),
        &[
            (&[], Success, "+b b:S"),
            (&[Op::Key("k0", true)], Success, "+b b:S"),
            (&[Op::Poll(4)], Success, "+a a:S"),
        ],
    );
}

#[test]
fn run_limit_counts_completed_runs() {
    check_looping(
        select([run_limit(2, None, now("a", "FS")), now("b", "")]),
        &[
            (&[], Success, "+a a:F +b b:S"),
            (&[], Success, "+a a:S"),
            (&[], Success, "+b b:S"),
        ],
    );
}

#[test]
fn run_limit_counts_only_the_ends_it_is_told_to() {
    check_looping(
        select([run_limit(1, Some(true), now("a", "FSS")), now("b", "")]),
        &[
            (&[], Success, "+a a:F +b b:S"),
            (&[], Success, "+a a:S"),
            (&[], Success, "+b b:S"),
        ],
    );
    check_looping(
        select([run_limit(1, Some(false), now("a", "SFS")), now("b", "")]),
        &[
            (&[], Success, "+a a:S"),
            (&[], Success, "+a a:F +b b:S"),
            (&[], Success, "+b b:S"),
        ],
    );
}

#[test]
fn run_limit_does_not_count_an_aborted_run() {
    check(
        select([takes_over(), run_limit(1, None, run("a", "")), pend("z")]),
        &[
            (&[], Running, "+a"),
            (&[Op::Key("k0", true)], Running, "a:A +x"),
            (&[], Running, "~x x:F +a"),
        ],
    );
}

#[test]
fn run_limit_counts_a_child_that_its_own_guard_aborted() {
    let a = run("a", "").guard("k0", Abort::Own);
    check(
        node(Kind::Retry(3), [run_limit(1, None, a)]),
        &[
            (&[Op::Key("k0", true)], Running, "+a"),
            (&[Op::Key("k0", false)], Failure, "a:A"),
        ],
    );
}

#[test]
fn run_limit_outlives_a_stop_and_not_a_reset() {
    check_looping(
        select([run_limit(1, None, now("a", "")), now("b", "")]),
        &[
            (&[], Success, "+a a:S"),
            (&[Op::Stop, Op::Start], Success, "+b b:S"),
            (&[Op::Reset], Success, "+a a:S"),
        ],
    );
}

#[test]
fn success_until_succeeds_for_all_ends_but_the_last() {
    check_looping(
        node(Kind::SuccessUntil(3), [now("a", "FSF")]),
        &[
            (&[], Success, "+a a:F"),
            (&[], Success, "+a a:S"),
            (&[], Failure, "+a a:F"),
        ],
    );
    check_looping(
        node(Kind::SuccessUntil(-1), [now("a", "FSF")]),
        &[
            (&[], Success, "+a a:F"),
            (&[], Success, "+a a:S"),
            (&[], Success, "+a a:F"),
        ],
    );
    check_looping(
        node(Kind::SuccessUntil(1), [now("a", "")]),
        &[(&[], Failure, "+a a:S")],
    );
}

#[test]
fn failure_until_fails_for_all_ends_but_the_last() {
    check_looping(
        node(Kind::FailureUntil(2), [run("a", "RSF")]),
        &[(&[], Running, "+a"), (&[], Success, "~a a:S +a a:F")],
    );
    check_looping(
        node(Kind::FailureUntil(-1), [now("a", "")]),
        &[(&[], Failure, "+a a:S"), (&[], Failure, "+a a:S")],
    );
}

#[test]
fn success_until_does_not_count_an_aborted_run_and_outlives_it() {
    let until = node(Kind::SuccessUntil(2), [run("a", "SRF")]);
    let body = node(Kind::Repeat(-1), [until]);
    check(
        select([takes_over(), body, pend("z")]),
        &[
            (&[], Running, "+a a:S"),
            (&[], Running, "+a"),
            (&[Op::Key("k0", true)], Running, "a:A +x"),
            // The second end.
            (&[], Running, "~x x:F +a a:F +z"),
        ],
    );
}

#[test]
fn frames_succeed_in_the_poll_of_their_number_whatever_the_child_does() {
    check(
        node(Kind::Frames(2), [now("a", "F")]),
        &[(&[], Running, "+a a:F"), (&[], Success, "+a a:S")],
    );
    check(
        node(Kind::Frames(1), [run("a", "")]),
        &[(&[], Success, "+a a:A")],
    );
    check(
        node(Kind::Frames(3), [run("a", "RS")]),
        &[
            (&[], Running, "+a"),
            (&[], Running, "~a a:S"),
            (&[], Success, "+a a:A"),
        ],
    );
}

#[test]
fn frames_enter_a_child_that_a_delivery_ended_in_the_next_poll() {
    check(
        node(Kind::Frames(4), [sequence([wait("go"), now("a", "")])]),
        &[
            (&[], Running, ""),
            (&[Op::Fire("go")], Running, "+a a:S"),
            // The wait is entered after this delivery.
            (&[Op::Fire("go")], Running, ""),
            (&[Op::Fire("go")], Success, "+a a:S"),
        ],
    );
}

#[test]
fn frames_end_in_their_turn_and_not_in_a_delivery_before_it() {
    let frames = |count, child| node(Kind::Frames(count), [child]);
    let after = |first: Node, child: Node| parallel(1, 1, [first, frames(2, child)]);
    let fire: &[Op] = &[Op::Fire("go")];
    check(
        after(run("t", "RF"), wait("go")),
        &[(&[], Running, "+t"), (fire, Failure, "~t t:F")],
    );
    check(
        after(run("t", "RR"), wait("go")),
        &[(&[], Running, "+t"), (fire, Success, "~t t:A")],
    );
    // Nor where a guard reacts to what the host wrote.
    let guarded = || pend("a").guard("k1", Abort::Own);
    let (on, off): (&[Op], &[Op]) = (&[Op::Key("k1", true)], &[Op::Key("k1", false)]);
    check(
        after(run("t", "RF"), guarded()),
        &[(on, Running, "+t +a"), (off, Failure, "a:A ~t t:F")],
    );
    check(
        sequence([wait("go"), frames(1, run("a", "")), now("b", "")]),
        &[(&[], Running, ""), (fire, Success, "+a a:A +b b:S")],
    );
    check(
        sequence([wait("go"), frames(1, now("a", "F")), now("b", "")]),
        &[(&[], Running, ""), (fire, Success, "+a a:F +b b:S")],
    );
}

#[test]
fn frames_of_a_loop_count_from_each_entry() {
    check(
        node(Kind::Repeat(2), [node(Kind::Frames(2), [run("a", "")])]),
        &[
            (&[], Running, "+a"),
            (&[], Running, "~a a:A +a"),
            (&[], Success, "~a a:A"),
        ],
    );
}

#[test]
fn once_keeps_its_result_over_a_stop_and_not_a_reset() {
    check_looping(
        node(Kind::Once, [run("a", "RF")]),
        &[
            (&[], Running, "+a"),
            (&[], Failure, "~a a:F"),
            (&[], Failure, ""),
            (&[Op::Stop, Op::Start], Failure, ""),
            (&[Op::Reset], Running, "+a"),
        ],
    );
}

#[test]
fn once_takes_no_abort_for_a_result() {
    check(
        select([takes_over(), node(Kind::Once, [run("a", "RRS")])]),
        &[
            (&[], Running, "+a"),
            (&[Op::Key("k0", true)], Running, "a:A +x"),
            (&[], Running, "~x x:F +a"),
            (&[], Success, "~a a:S"),
        ],
    );
}

#[test]
fn once_that_a_guard_refuses_has_no_result_yet() {
    let once = node(Kind::Once, [now("a", "")]).guard("k0", Abort::None);
    check_looping(
        select([once, now("b", "")]),
        &[
            (&[], Success, "+b b:S"),
            (&[Op::Key("k0", true)], Success, "+a a:S"),
            (&[], Success, ""),
            (&[Op::Key("k0", false)], Success, "+b b:S"),
        ],
    );
}

#[test]
fn inverting_decorators_leave_running_as_it_is() {
    let all = [
        (Kind::Negative, [Success, Failure]),
        (Kind::AlwaysTrue, [Success, Success]),
        (Kind::AlwaysFalse, [Failure, Failure]),
    ];
    for (kind, [of_failure, of_success]) in all {
        for (replies, result, end) in [("RF", of_failure, "a:F"), ("RS", of_success, "a:S")] {
            check(
                node(kind.clone(), [run("a", replies)]),
                &[(&[], Running, "+a"), (&[], result, &format!("~a {end}"))],
            );
        }
    }
}

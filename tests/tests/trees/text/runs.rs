//! Tests of the start of the next run; and of waits for nothing.

use bt_core::Status::{Running, Success};
use bt_tests::cases::{Kind, Op};

use crate::text::harness::{
    Attach, check, check_looping, node, now, parallel, pend, run, sequence, wait,
};

#[test]
fn wait_for_seconds_0_succeeds_in_the_same_pass() {
    check(
        sequence([node(Kind::Wait(0), []), now("a", "S")]),
        &[(&[], Success, "+a a:S")],
    );
}

#[test]
fn wait_for_seconds_0_is_never_running() {
    check(
        parallel(1, 1, [node(Kind::Wait(0), []).logged(), now("a", "S")]),
        &[(&[], Success, "+main.2 -main.2 +a a:S")],
    );
}

#[test]
fn wait_frames_0_succeeds_in_the_same_pass() {
    check(
        sequence([node(Kind::WaitFrames(0), []), now("a", "S")]),
        &[(&[], Success, "+a a:S")],
    );
}

#[test]
fn wait_for_seconds_0_after_a_polled_leaf_succeeds_in_the_turn() {
    check(
        sequence([run("r", "RS"), node(Kind::Wait(0), []), now("a", "S")]),
        &[(&[], Running, "+r"), (&[], Success, "~r r:S +a a:S")],
    );
}

#[test]
fn until_success_without_a_limit_looks_once_a_poll() {
    check(
        node(Kind::UntilSuccess(-1), [now("a", "FFS")]),
        &[
            (&[], Running, "+a a:F"),
            (&[], Running, "+a a:F"),
            (&[], Success, "+a a:S"),
        ],
    );
}

#[test]
fn until_success_without_a_limit_runs_again_at_once_after_a_run_that_had_blocked() {
    check(
        node(Kind::UntilSuccess(-1), [run("a", "RFF")]),
        &[
            (&[], Running, "+a"),
            (&[], Running, "~a a:F +a a:F"),
            (&[], Running, "+a"),
        ],
    );
}

#[test]
fn until_success_with_a_limit_runs_again_in_the_same_poll() {
    check(
        node(Kind::UntilSuccess(3), [now("a", "FFS")]),
        &[(&[], Success, "+a a:F +a a:F +a a:S")],
    );
}

#[test]
fn repeat_for_ever_follows_a_run_that_had_blocked_at_once() {
    let body = sequence([wait("go"), now("a", "")]);
    check(
        node(Kind::Repeat(-1), [body]),
        &[
            (&[], Running, ""),
            (&[Op::Fire("go"), Op::Fire("go")], Running, "+a a:S +a a:S"),
            // The third run begins in the turn: this event finds no waiter.
            (&[Op::Fire("go")], Running, ""),
            (&[Op::Fire("go")], Running, "+a a:S"),
        ],
    );
}

#[test]
fn retry_for_ever_follows_a_run_that_had_blocked_at_once() {
    check(
        node(Kind::Retry(-1), [run("a", "RFFS")]),
        &[
            (&[], Running, "+a"),
            (&[], Running, "~a a:F +a a:F"),
            (&[], Success, "+a a:S"),
        ],
    );
}

#[test]
fn looping_tree_follows_a_run_that_had_blocked_at_once() {
    check_looping(
        run("a", "RSS"),
        &[
            (&[], Running, "+a"),
            (&[], Success, "~a a:S +a a:S"),
            (&[], Running, "+a"),
        ],
    );
}

#[test]
fn loop_begins_one_iteration_a_poll() {
    check(
        node(Kind::Loop(2), [run("a", "RS")]),
        &[
            (&[], Running, "+a"),
            (&[], Running, "~a a:S"),
            (&[], Running, "+a"),
        ],
    );
}

#[test]
fn nodes_with_effects_are_left_innermost_first() {
    check(
        sequence([sequence([pend("a")]).logged()]).logged(),
        &[(&[], Running, "+main.1 +main.2 +a")],
    );
}

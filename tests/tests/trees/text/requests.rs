//! Tests of requests of the host, and of a leaf; the queue; pauses.

use bt_core::Status::{Failure, Running, Success};
use bt_tests::cases::{Act, Kind, Op};

use crate::text::harness::{
    Attach, check, check_looping, check_trees, node, now, pend, run, sequence, wait,
};

fn latched(event: &'static str) -> bt_tests::cases::Node {
    let (broadcast, latch) = (false, true);
    node(
        Kind::WaitEvent {
            event,
            broadcast,
            latch,
        },
        [],
    )
}

#[test]
fn load_starts_the_other_tree_in_the_same_poll() {
    let go = now("go", "S").act(Act::Load(1));
    check_trees(
        false,
        vec![sequence([run("a", "RS"), go, pend("b")]), pend("x")],
        &[(&[], Running, "+a"), (&[], Running, "~a a:S +go go:S +x")],
    );
}

#[test]
fn transfer_starts_the_other_tree_in_the_same_poll() {
    let go = node(Kind::Transfer(1), []);
    check_trees(
        false,
        vec![sequence([run("a", "RS"), go]), pend("x")],
        &[(&[], Running, "+a"), (&[], Running, "~a a:S +x")],
    );
}

#[test]
fn reset_starts_the_tree_in_the_next_poll() {
    let go = now("go", "S").act(Act::Reset);
    check(
        sequence([run("a", "RS"), go, pend("b")]),
        &[
            (&[], Running, "+a"),
            (&[], Running, "~a a:S +go go:S"),
            (&[], Running, "+a"),
        ],
    );
}

#[test]
fn the_later_of_two_requests_of_the_host_counts() {
    check_trees(
        false,
        vec![run("a", ""), run("x", "")],
        &[
            (&[], Running, "+a"),
            (&[Op::Reset, Op::Load(1)], Running, "a:A +x"),
        ],
    );
}

#[test]
fn runner_drops_events_fired_after_a_stop() {
    check_looping(
        sequence([wait("go"), now("a", "")]),
        &[
            (&[], Running, ""),
            (&[Op::Stop, Op::Fire("go"), Op::Start], Running, ""),
            (&[Op::Fire("go")], Running, "+a a:S"),
        ],
    );
}

#[test]
fn stop_drops_events_fired_before() {
    check_looping(
        sequence([wait("go"), now("a", "")]),
        &[
            (&[], Running, ""),
            (&[Op::Fire("go"), Op::Stop, Op::Start], Running, ""),
        ],
    );
}

#[test]
fn load_keeps_events_fired_before() {
    check_trees(
        false,
        vec![pend("a"), sequence([wait("go"), now("x", "")])],
        &[
            (&[], Running, "+a"),
            (&[Op::Fire("go"), Op::Load(1)], Success, "a:A +x x:S"),
        ],
    );
}

#[test]
fn reset_keeps_events_fired_before() {
    check(
        sequence([wait("go"), now("a", "")]),
        &[
            (&[], Running, ""),
            (&[Op::Fire("go"), Op::Reset], Success, "+a a:S"),
        ],
    );
}

#[test]
fn stop_clears_latched_events() {
    let main = sequence([run("a", "RS"), latched("go"), now("b", "")]);
    check(
        main,
        &[
            (&[Op::Fire("go")], Running, "+a"),
            (&[Op::Stop, Op::Start], Running, "+a a:S"),
            (&[], Running, ""),
        ],
    );
}

#[test]
fn reset_clears_latched_events() {
    let main = sequence([run("a", "RS"), latched("go"), now("b", "")]);
    check(
        main,
        &[
            (&[Op::Fire("go")], Running, "+a"),
            (&[Op::Reset], Running, "a:A +a a:S"),
        ],
    );
}

#[test]
fn two_queued_events_serve_two_runs_of_a_loop() {
    check_looping(
        sequence([wait("go"), now("a", "")]),
        &[
            (&[], Running, ""),
            // The first had blocked, and is followed at once; the second began in this poll.
            (&[Op::Fire("go"), Op::Fire("go")], Success, "+a a:S +a a:S"),
            (&[], Running, ""),
        ],
    );
}

#[test]
fn pause_stops_the_clock() {
    check(
        sequence([node(Kind::Wait(2), []), now("a", "F")]),
        &[
            (&[], Running, ""),
            (&[Op::Pause, Op::Poll(4)], Running, ""),
            (&[Op::Resume, Op::Poll(4)], Running, ""),
            (&[Op::Poll(1)], Running, ""),
            (&[Op::Poll(1)], Failure, "+a a:F"),
        ],
    );
}

#[test]
fn pause_keeps_what_arrives() {
    check(
        sequence([wait("go"), now("a", "")]),
        &[
            (&[], Running, ""),
            (&[Op::Pause, Op::Fire("go")], Running, ""),
            (&[Op::Resume], Success, "+a a:S"),
        ],
    );
}

#[test]
fn end_ends_its_tree_at_once() {
    let (success, outside) = (true, false);
    let called = sequence([
        now("x", ""),
        node(Kind::End { success, outside }, []),
        pend("y"),
    ]);
    check_trees(
        false,
        vec![
            sequence([node(Kind::SubTree(1), []), now("a", "F")]),
            called,
        ],
        &[(&[], Failure, "+x x:S +a a:F")],
    );
}

#[test]
fn end_outside_ends_the_current_tree() {
    let (success, outside) = (true, true);
    let called = sequence([
        now("x", ""),
        node(Kind::End { success, outside }, []),
        pend("y"),
    ]);
    check_trees(
        false,
        vec![
            sequence([node(Kind::SubTree(1), []), now("a", "F")]),
            called,
        ],
        &[(&[], Success, "+x x:S")],
    );
}

//! `parallel` with neither threshold.

use bt_core::Status::{Failure, Running, Success};
use bt_tests::cases::{Abort, Act, Kind, Op};

use crate::text::harness::{
    Attach, any_finish, check, node, now, parallel, pend, reactive_sequence, run, sequence,
    timeout, wait,
};

#[test]
fn any_finish_decides_on_entry_before_its_parent_sees_it_running() {
    let children = [any_finish([now("a", "SSS"), pend("b")]), run("x", "")];
    check(
        reactive_sequence(children),
        &[
            (&[], Running, "+a a:S +b b:A +x"),
            (&[], Running, "+a a:S +b b:A ~x"),
            (&[], Running, "+a a:S +b b:A ~x"),
        ],
    );
}

#[test]
fn any_finish_decides_on_entry_before_its_siblings_are_entered() {
    let first = any_finish([now("a", "F"), pend("b")]);
    check(
        parallel(1, 2, [first, now("c", "F"), now("d", "S")]),
        &[(&[], Failure, "+a a:F +b b:A +c c:F +d d:S")],
    );
}

#[test]
fn any_finish_takes_the_result_of_the_highest_child_that_ended_in_the_turn() {
    check(
        any_finish([run("a", "RF"), run("b", "RS")]),
        &[(&[], Running, "+a +b"), (&[], Success, "~a a:F ~b b:S")],
    );
}

#[test]
fn any_finish_takes_the_result_of_the_highest_child_that_ended_on_entry() {
    check(
        any_finish([now("a", "F"), pend("b"), now("c", "S"), pend("d")]),
        &[(&[], Success, "+a a:F +b +c c:S +d d:A b:A")],
    );
}

#[test]
fn any_finish_decides_at_once_when_one_delivery_ends_one_child() {
    let a = sequence([wait("go"), now("a", "F")]);
    check(
        any_finish([a, run("b", "RS")]),
        &[
            (&[], Running, "+b"),
            (&[Op::Fire("go")], Failure, "+a a:F b:A"),
        ],
    );
}

#[test]
fn any_finish_waits_for_every_waiter_that_one_event_wakes() {
    let waits = |name, replies| {
        let (broadcast, latch) = (true, false);
        let event = "go";
        let wait = Kind::WaitEvent {
            event,
            broadcast,
            latch,
        };
        sequence([node(wait, []), now(name, replies)])
    };
    check(
        any_finish([waits("a", "F"), waits("b", "S"), run("c", "")]),
        &[
            (&[], Running, "+c"),
            (&[Op::Fire("go")], Success, "+a a:F +b b:S c:A"),
        ],
    );
}

#[test]
fn any_finish_decides_before_children_to_the_right_are_entered() {
    let first = any_finish([run("a", "RS"), run("b", "")]);
    let first = sequence([first, now("c", "F")]);
    check(
        parallel(2, 1, [first, run("d", "")]),
        &[
            (&[], Running, "+a +b +d"),
            (&[], Failure, "~a a:S ~b b:A +c c:F d:A"),
        ],
    );
}

#[test]
fn any_finish_counts_a_child_that_a_guard_aborts_in_the_same_pass() {
    // What `a` writes ends `b` in the delivery in which `a` ends: the highest is `b`.
    let a = sequence([wait("go"), now("a", "S").act(Act::Set("k0", true))]);
    let b = run("b", "").guard_not("k0", Abort::Own);
    check(
        any_finish([a, b]),
        &[
            (&[], Running, "+b"),
            (&[Op::Fire("go")], Failure, "+a a:S b:A"),
        ],
    );
}

#[test]
fn any_finish_decides_after_all_guards_that_follow_a_key() {
    let a = pend("a").guard_not("k0", Abort::Own);
    let b = node(Kind::Negative, [pend("b").guard_not("k0", Abort::Own)]);
    check(
        any_finish([a, b]),
        &[
            (&[], Running, "+a +b"),
            (&[Op::Key("k0", true)], Success, "a:A b:A"),
        ],
    );
}

#[test]
fn any_finish_decides_at_a_deadline_after_the_guards_that_are_due() {
    let b = node(Kind::Negative, [pend("b").guard_not("f1", Abort::Own)]);
    check(
        timeout(1, any_finish([run("a", "RF"), b])),
        &[
            (&[], Running, "+a ?f1 +b"),
            (
                &[Op::Flag("f1", true), Op::Poll(1)],
                Success,
                "~a a:F ?f1 b:A",
            ),
        ],
    );
}

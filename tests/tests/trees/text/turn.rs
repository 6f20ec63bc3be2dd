//! The turn: one walk from the root over what is active, in index order.

use bt_core::Status::{Failure, Running, Success};
use bt_tests::cases::{Abort, Kind, Op};

use crate::text::harness::{
    Attach, check, holds, node, now, parallel, pend, reactive_select, reactive_sequence, run,
    select, sequence, timeout, wait,
};

#[test]
fn reactive_select_takes_its_turn_before_a_polled_guard_below_it() {
    let a = run("a", "").guard("k", Abort::Poll);
    let b = run("b", "").guard_not("k", Abort::Poll);
    check(
        reactive_select([a, b]),
        &[
            (&[], Running, "+b"),
            (&[Op::Key("k", true)], Running, "+a b:A"),
            (&[], Running, "~a"),
            (&[Op::Key("k", false)], Running, "a:A +b"),
        ],
    );
}

#[test]
fn reactive_select_takes_its_turn_before_a_following_guard_below_it() {
    let a = run("a", "").guard("k", Abort::Own);
    let b = run("b", "").guard_not("k", Abort::Own);
    check(
        reactive_select([a, b]),
        &[
            (&[], Running, "+b"),
            (&[Op::Key("k", true)], Running, "+a b:A"),
        ],
    );
}

#[test]
fn reactive_select_enters_nothing_to_the_right_of_what_takes_over() {
    let b = run("b", "").guard("f0", Abort::Own);
    check(
        reactive_select([run("a", "FR"), b, run("c", "")]),
        &[
            (&[Op::Flag("f0", true)], Running, "+a a:F ?f0 +b"),
            (&[Op::Flag("f0", false)], Running, "+a b:A"),
        ],
    );
}

#[test]
fn reactive_select_evaluates_the_guard_of_the_running_child_after_its_earlier_children() {
    let b = run("b", "").guard("f0", Abort::Own);
    check(
        reactive_select([now("a", "FFF"), b, run("c", "")]),
        &[
            (&[Op::Flag("f0", true)], Running, "+a a:F ?f0 +b"),
            (&[], Running, "+a a:F ?f0 ~b"),
            (&[Op::Flag("f0", false)], Running, "+a a:F ?f0 b:A +c"),
        ],
    );
}

#[test]
fn turn_evaluates_a_guard_before_what_is_below_it_and_after_what_is_to_its_left() {
    let a = run("a", "").guard("f0", Abort::Own);
    let b = sequence([run("b", "")]).guard("f1", Abort::Own);
    let up = [Op::Flag("f0", true), Op::Flag("f1", true)];
    check(
        parallel(2, 2, [a, b]),
        &[
            (&up, Running, "?f0 +a ?f1 +b"),
            (&[], Running, "?f0 ~a ?f1 ~b"),
            (&[Op::Flag("f1", false)], Running, "?f0 ~a ?f1 b:A"),
        ],
    );
}

#[test]
fn turn_evaluates_lower_guards_before_what_is_below_the_select() {
    let a = run("a", "").guard("f0", Abort::Lower);
    let b = run("b", "").guard("f1", Abort::Own);
    let up = [Op::Flag("f0", true), Op::Flag("f1", false)];
    check(
        select([a, b, pend("c")]),
        &[
            (&[Op::Flag("f1", true)], Running, "?f0 ?f1 +b"),
            (&[], Running, "?f0 ?f1 ~b"),
            (&up, Running, "?f0 b:A +a"),
        ],
    );
}

#[test]
fn turn_enters_no_sibling_that_an_earlier_guard_would_have_refused() {
    // The guard of the outer node comes first: nothing below it is called.
    let inner = sequence([run("a", "")]).guard("f1", Abort::Poll);
    let outer = sequence([inner]).guard("f0", Abort::Poll);
    let up = [Op::Flag("f0", true), Op::Flag("f1", true)];
    let down = [Op::Flag("f0", false), Op::Flag("f1", false)];
    check(
        select([outer, pend("z")]),
        &[(&up, Running, "?f0 ?f1 +a"), (&down, Running, "?f0 a:A +z")],
    );
}

#[test]
fn what_a_delivery_entered_has_had_its_turn() {
    let a = sequence([wait("go"), run("a", "").guard("f0", Abort::Own)]);
    check(
        a,
        &[
            (&[Op::Flag("f0", true)], Running, ""),
            (&[Op::Fire("go")], Running, "?f0 +a"),
            (&[], Running, "?f0 ~a"),
        ],
    );
}

#[test]
fn reactive_node_that_a_delivery_moved_on_still_evaluates() {
    check(
        reactive_sequence([now("a", ""), wait("go"), run("b", "")]),
        &[
            (&[], Running, "+a a:S"),
            (&[Op::Fire("go")], Running, "+b +a a:S b:A"),
        ],
    );
}

#[test]
fn timeout_calls_no_polled_leaf_whose_guard_does_not_hold_at_its_deadline() {
    let a = run("a", "RSS").guard("f0", Abort::Own);
    check(
        timeout(1, a),
        &[
            (&[Op::Flag("f0", true)], Running, "?f0 +a"),
            (&[Op::Flag("f0", false), Op::Poll(1)], Failure, "?f0 a:A"),
        ],
    );
}

#[test]
fn timeout_calls_a_polled_leaf_whose_guard_holds_at_its_deadline() {
    let a = run("a", "RS").guard("f0", Abort::Own);
    check(
        timeout(1, a),
        &[
            (&[Op::Flag("f0", true)], Running, "?f0 +a"),
            (&[Op::Poll(1)], Success, "?f0 ~a a:S"),
        ],
    );
}

#[test]
fn timeout_lets_a_lower_guard_take_over_at_its_deadline_before_the_polled_leaf() {
    let a = now("a", "S").guard("f0", Abort::Lower);
    check(
        timeout(1, select([a, run("b", "")])),
        &[
            (&[], Running, "?f0 +b"),
            (
                &[Op::Flag("f0", true), Op::Poll(1)],
                Success,
                "?f0 b:A +a a:S",
            ),
        ],
    );
}

#[test]
fn frames_count_after_the_child_ran() {
    check(
        node(Kind::Frames(2), [run("a", "")]),
        &[(&[], Running, "+a"), (&[], Success, "~a a:A")],
    );
}

#[test]
fn and_evaluates_conditions_in_order() {
    check(
        node(Kind::And, [holds("f0"), holds("f1")]),
        &[(&[], Failure, "?f0")],
    );
}

#[test]
fn deadline_evaluates_no_guard_to_the_left_of_a_leaf_that_was_called() {
    let a = run("a", "RF").guard_not("f1", Abort::Lower);
    check(
        timeout(1, select([a, run("b", "")])),
        &[
            (&[], Running, "?f1 +a"),
            (&[Op::Poll(1)], Failure, "~a a:F +b b:A"),
        ],
    );
}

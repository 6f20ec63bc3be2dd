//! Guards, and what they abort.

use bt_core::Status::{Failure, Running, Success};
use bt_tests::cases::{Abort, Op};

use crate::text::harness::{
    Attach, check, now, pend, reactive_sequence, run, select, sequence, timeout, wait,
};

#[test]
fn both_guard_is_evaluated_once_in_a_turn() {
    let a = run("a", "").guard("f0", Abort::Both);
    check(
        select([a, run("b", "")]),
        &[
            (&[Op::Flag("f0", true)], Running, "?f0 +a"),
            (&[Op::Flag("f0", false)], Running, "?f0 a:A +b"),
            (&[], Running, "?f0 ~b"),
            (&[Op::Flag("f0", true)], Running, "?f0 b:A +a"),
        ],
    );
}

#[test]
fn self_guard_fails_its_node_and_the_select_continues() {
    let a = sequence([run("a", "")]).guard("k", Abort::Own);
    check(
        select([a, pend("b")]),
        &[
            (&[Op::Key("k", true)], Running, "+a"),
            (&[Op::Key("k", false)], Running, "a:A +b"),
        ],
    );
}

#[test]
fn guard_without_abort_is_evaluated_on_entry_only() {
    let a = run("a", "").guard("f0", Abort::None);
    check(
        select([a, pend("b")]),
        &[
            (&[Op::Flag("f0", true)], Running, "?f0 +a"),
            (&[Op::Flag("f0", false)], Running, "~a"),
        ],
    );
}

#[test]
fn node_takes_over_when_all_its_guards_hold_and_did_not_before() {
    let a = run("a", "").guard("f0", Abort::None);
    let a = a.guard("f1", Abort::Lower);
    check(
        select([a, run("b", "")]),
        &[
            (&[], Running, "?f0 +b"),
            (&[Op::Flag("f1", true)], Running, "?f0 ~b"),
            (&[Op::Flag("f0", true)], Running, "?f0 ?f1 b:A +a"),
        ],
    );
}

#[test]
fn node_that_failed_while_its_guards_held_does_not_take_over_before_one_was_false() {
    let a = now("a", "F").guard("k1", Abort::None);
    let a = a.guard("k2", Abort::Lower);
    check(
        select([a, run("b", "")]),
        &[
            (
                &[Op::Key("k1", true), Op::Key("k2", true)],
                Running,
                "+a a:F +b",
            ),
            (&[], Running, "~b"),
            (&[Op::Key("k1", false)], Running, "~b"),
            (&[Op::Key("k1", true)], Success, "b:A +a a:S"),
        ],
    );
}

#[test]
fn lower_takes_over_completely_before_the_guarded_node_is_entered() {
    let a = pend("a").guard("k", Abort::Lower).logged();
    let b = sequence([run("b", "")]).logged();
    check(
        select([a, b]),
        &[
            (&[], Running, "+main.3 +b"),
            (&[Op::Key("k", true)], Running, "b:A -main.3 +main.2 +a"),
        ],
    );
}

#[test]
fn lower_is_not_evaluated_while_no_sibling_to_the_right_runs() {
    let a = run("a", "").guard("f0", Abort::Lower);
    check(
        select([a, pend("b")]),
        &[
            (&[Op::Flag("f0", true)], Running, "?f0 +a"),
            (&[Op::Flag("f0", false)], Running, "~a"),
        ],
    );
}

#[test]
fn guard_is_evaluated_in_the_turn_after_the_deliveries() {
    let a = sequence([wait("go"), now("a", "S")]).guard("f0", Abort::Own);
    check(
        a,
        &[
            (&[Op::Flag("f0", true)], Running, "?f0"),
            (&[Op::Flag("f0", false), Op::Fire("go")], Success, "+a a:S"),
        ],
    );
}

#[test]
fn guard_below_a_reactive_node_is_evaluated_after_the_earlier_children() {
    let b = run("b", "").guard("f0", Abort::Own);
    check(
        reactive_sequence([now("a", "SF"), b]),
        &[
            (&[Op::Flag("f0", true)], Running, "+a a:S ?f0 +b"),
            (&[Op::Flag("f0", false)], Failure, "+a a:F b:A"),
        ],
    );
}

#[test]
fn timeout_lets_what_was_due_before_its_deadline_count_first() {
    check(
        timeout(2, pend("a")),
        &[
            (&[], Running, "+a"),
            (&[Op::End(0, true), Op::Poll(2)], Success, "a:S"),
        ],
    );
}

//! `parallel` with thresholds, and `rerun`.

use bt_core::Status::{Failure, Running, Success};
use bt_tests::cases::{Abort, Act, Op, When};

use crate::text::harness::{Attach, check, now, parallel, pend, rerun, run, sequence, wait};

#[test]
fn rerun_goes_through_ended_and_running_children_in_index_order_until_a_threshold_is_met() {
    let children = || {
        [
            run("a", "RS"),
            run("d", "RS"),
            now("b", "FF"),
            now("c", "SF"),
        ]
    };
    check(
        rerun(2, 2, children()),
        &[
            (&[], Running, "+a +d +b b:F +c c:S"),
            (&[], Success, "~a a:S ~d d:S"),
        ],
    );
    check(
        rerun(3, 2, children()),
        &[
            (&[], Running, "+a +d +b b:F +c c:S"),
            (&[], Failure, "~a a:S ~d d:S +b b:F +c c:F"),
        ],
    );
}

#[test]
fn rerun_enters_ended_children_before_it_continues_running_ones_to_their_right() {
    check(
        rerun(2, 3, [now("a", "FF"), run("b", "RR"), now("c", "FF")]),
        &[
            (&[], Running, "+a a:F +b +c c:F"),
            (&[], Running, "+a a:F ~b +c c:F"),
        ],
    );
}

#[test]
fn rerun_counts_the_ends_of_one_poll_only() {
    check(
        rerun(2, 2, [now("a", "SF"), run("b", "RS")]),
        &[(&[], Running, "+a a:S +b"), (&[], Failure, "+a a:F ~b b:S")],
    );
}

#[test]
fn rerun_does_not_enter_a_child_that_ended_in_this_poll() {
    let a = sequence([wait("go"), now("a", "S")]);
    check(
        rerun(2, 2, [a, run("b", "")]),
        &[
            (&[], Running, "+b"),
            (&[Op::Fire("go")], Running, "+a a:S ~b"),
            (&[], Running, "~b"),
        ],
    );
}

#[test]
fn rerun_enters_and_calls_nothing_right_of_the_child_that_meets_a_threshold() {
    check(
        rerun(1, 3, [now("a", "FS"), run("b", "RR"), now("c", "FS")]),
        &[
            (&[], Running, "+a a:F +b +c c:F"),
            (&[], Success, "+a a:S b:A"),
        ],
    );
}

#[test]
fn rerun_decides_when_a_write_of_a_child_to_the_left_meets_a_threshold() {
    // Its third call sets the key.
    let writes = run("a", "").act(Act::Set("k1", false));
    let refused = pend("b").guard_not("k1", Abort::Own);
    check(
        rerun(3, 1, [writes, refused, run("c", "")]),
        &[
            (&[], Running, "+a +b +c"),
            (&[], Running, "~a ~c"),
            (&[], Failure, "~a b:A c:A a:A"),
        ],
    );
}

#[test]
fn rerun_of_the_first_poll_enters_all_children_though_a_threshold_is_met() {
    check(
        rerun(1, 3, [now("a", "S"), run("b", ""), now("c", "F")]),
        &[(&[], Success, "+a a:S +b +c c:F b:A")],
    );
}

#[test]
fn parallel_enters_all_children_in_the_first_poll_even_if_the_first_decides() {
    check(
        parallel(1, 3, [now("a", "S"), now("b", "F"), run("c", "")]),
        &[(&[], Success, "+a a:S +b b:F +c c:A")],
    );
}

#[test]
fn parallel_aborts_running_children_in_reverse_order() {
    check(
        parallel(1, 3, [run("a", ""), now("b", "S"), run("c", "")]),
        &[(&[], Success, "+a +b b:S +c c:A a:A")],
    );
}

#[test]
fn parallel_decides_before_the_guard_of_a_later_child_is_evaluated() {
    let b = run("b", "").guard("f0", Abort::Own);
    check(
        parallel(1, 2, [run("a", "RS"), b]),
        &[
            (&[Op::Flag("f0", true)], Running, "+a ?f0 +b"),
            (&[], Success, "~a a:S b:A"),
        ],
    );
}

#[test]
fn rerun_decides_at_once_outside_of_the_turn() {
    let first = sequence([wait("go").put(When::Exit, "k1", true)]).logged();
    check(
        rerun(2, 1, [first, pend("l").guard_not("k1", Abort::Own)]),
        &[
            (&[], Running, "+main.2 +l"),
            (
                &[Op::Fire("go")],
                Failure,
                "put k1 true at main.3 on exit l:A -main.2",
            ),
        ],
    );
}

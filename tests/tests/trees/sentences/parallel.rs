//! Chapter "Composites": parallels with thresholds, with `rerun`, and without either.

use bt_core::Status::{Failure, Running, Success};
use bt_tests::cases::{Abort, Act, Kind, Op};

use crate::text::harness::{
    Attach, any_finish, check, check_looping, holds, node, now, parallel, pend, rerun, run, select,
    sequence, timeout, wait,
};

#[test]
fn parallel_decides_by_the_lowest_index_of_what_ends_on_entry() {
    check(
        parallel(1, 1, [now("a", "F"), now("b", "S")]),
        &[(&[], Failure, "+a a:F +b b:S")],
    );
}

#[test]
fn parallel_decides_in_the_order_of_completion() {
    check(
        parallel(1, 1, [pend("a"), pend("b")]),
        &[
            (&[], Running, "+a +b"),
            (&[Op::End(1, true), Op::End(0, false)], Success, "b:S a:A"),
        ],
    );
}

#[test]
fn parallel_with_one_threshold_derives_the_other() {
    let kind = |success, failure| Kind::Parallel {
        success,
        failure,
        rerun: false,
        stops: false,
    };
    // M = 2 of 3: K = 2.
    check(
        node(
            kind(Some(2), None),
            [now("a", "F"), now("b", "F"), pend("c")],
        ),
        &[(&[], Failure, "+a a:F +b b:F +c c:A")],
    );
    // M = N = 3, K = 2.
    check(
        node(
            kind(None, Some(2)),
            [now("a", "F"), now("b", ""), pend("c")],
        ),
        &[
            (&[], Running, "+a a:F +b b:S +c"),
            (&[Op::End(2, false)], Failure, "c:F"),
        ],
    );
}

#[test]
fn parallel_that_reaches_neither_threshold_fails() {
    check(
        parallel(3, 3, [now("a", "F"), now("b", ""), pend("c")]),
        &[
            (&[], Running, "+a a:F +b b:S +c"),
            (&[Op::End(2, true)], Failure, "c:S"),
        ],
    );
}

#[test]
fn parallel_runs_no_ended_child_again() {
    check(
        parallel(3, 1, [run("a", "RS"), run("b", "RRS"), now("c", "")]),
        &[
            (&[], Running, "+a +b +c c:S"),
            (&[], Running, "~a a:S ~b"),
            (&[], Success, "~b b:S"),
        ],
    );
}

#[test]
fn parallel_that_decides_in_the_turn_calls_no_child_to_the_right() {
    check(
        parallel(1, 1, [run("a", "RS"), run("b", ""), run("c", "")]),
        &[(&[], Running, "+a +b +c"), (&[], Success, "~a a:S c:A b:A")],
    );
}

#[test]
fn parallel_aborts_losers_in_reverse_order_and_each_innermost_first() {
    let loser = |name: &str| sequence([run(name, "")]).logged();
    check(
        parallel(1, 1, [loser("a"), run("w", "RS"), loser("b")]),
        &[
            (&[], Running, "+main.2 +a +w +main.5 +b"),
            (&[], Success, "~a ~w w:S b:A -main.5 a:A -main.2"),
        ],
    );
}

#[test]
fn rerun_in_which_all_ended_and_neither_threshold_is_reached_fails() {
    check(
        rerun(2, 2, [now("a", "S"), now("b", "F")]),
        &[(&[], Failure, "+a a:S +b b:F")],
    );
}

#[test]
fn rerun_counts_what_a_delivery_ended_and_does_not_enter_that_again() {
    check(
        rerun(2, 2, [pend("a"), now("b", "")]),
        &[
            (&[], Running, "+a +b b:S"),
            (&[], Running, "+b b:S"),
            (&[Op::End(0, true)], Success, "a:S +b b:S"),
        ],
    );
}

#[test]
fn rerun_enters_again_in_the_next_poll_what_a_delivery_ended() {
    check(
        rerun(2, 2, [pend("a"), now("b", "SFSS"), run("c", "")]),
        &[
            (&[], Running, "+a +b b:S +c"),
            (&[Op::End(0, true)], Running, "a:S +b b:F ~c"),
            (&[], Running, "+a +b b:S ~c"),
            (&[Op::End(0, true)], Success, "a:S +b b:S c:A"),
        ],
    );
}

#[test]
fn rerun_runs_a_child_that_a_guard_refuses_again_every_poll() {
    let a = run("a", "").guard("f0", Abort::None);
    check(
        rerun(2, 2, [a, now("b", ""), run("c", "")]),
        &[
            (&[], Running, "?f0 +b b:S +c"),
            (&[], Running, "?f0 +b b:S ~c"),
            (&[Op::Flag("f0", true)], Running, "?f0 +a +b b:S ~c"),
            (&[], Running, "~a +b b:S ~c"),
        ],
    );
}

#[test]
fn rerun_moves_memory_sequences_on() {
    let memory = node(
        Kind::MemorySequence { keep_place: false },
        [now("a", ""), now("b", "FS")],
    );
    check(
        rerun(2, 2, [memory, now("c", ""), run("d", "")]),
        &[
            (&[], Running, "+a a:S +b b:F +c c:S +d"),
            (&[], Success, "+b b:S +c c:S d:A"),
        ],
    );
}

#[test]
fn rerun_enters_no_ended_child_at_a_deadline() {
    // At the deadline only polled children run; what ended in an earlier poll does not count.
    check(
        timeout(4, rerun(2, 2, [run("a", "RRS"), now("b", "")])),
        &[
            (&[], Running, "+a +b b:S"),
            (&[Op::Poll(2)], Running, "~a +b b:S"),
            (&[Op::Poll(2)], Failure, "~a a:S"),
        ],
    );
}

#[test]
fn any_finish_calls_all_polled_children_in_the_turn_in_which_one_ends() {
    check(
        any_finish([run("a", "RF"), run("b", "RR"), run("c", "RS"), run("d", "")]),
        &[
            (&[], Running, "+a +b +c +d"),
            (&[], Success, "~a a:F ~b ~c c:S ~d d:A b:A"),
        ],
    );
}

#[test]
fn any_finish_ends_with_a_delivery_and_calls_no_polled_child() {
    check(
        any_finish([sequence([wait("go"), now("x", "F")]), run("b", "")]),
        &[
            (&[], Running, "+b"),
            (&[Op::Fire("go")], Failure, "+x x:F b:A"),
        ],
    );
}

#[test]
fn any_finish_takes_the_first_of_two_deliveries() {
    check(
        any_finish([pend("a"), pend("b")]),
        &[
            (&[], Running, "+a +b"),
            (&[Op::End(0, false), Op::End(1, true)], Failure, "a:F b:A"),
        ],
    );
}

#[test]
fn any_finish_ends_with_all_waiters_of_a_broadcast() {
    let wait = || {
        let (event, broadcast, latch) = ("go", true, false);
        node(
            Kind::WaitEvent {
                event,
                broadcast,
                latch,
            },
            [],
        )
    };
    check(
        any_finish([
            sequence([wait(), now("a", "S")]),
            sequence([wait(), now("b", "F")]),
            pend("c"),
        ]),
        &[
            (&[], Running, "+c"),
            (&[Op::Fire("go")], Failure, "+a a:S +b b:F c:A"),
        ],
    );
}

#[test]
fn any_finish_ends_before_its_parent_goes_on() {
    check(
        sequence([any_finish([now("a", ""), run("b", "")]), now("c", "")]),
        &[(&[], Success, "+a a:S +b b:A +c c:S")],
    );
}

#[test]
fn nested_any_finish_counts_as_ended_in_the_pass_in_which_it_ends() {
    let inner = any_finish([run("a", "RS"), run("b", "RF")]);
    check(
        any_finish([run("p", "RS"), inner, run("q", "")]),
        &[
            (&[], Running, "+p +a +b +q"),
            (&[], Failure, "~p p:S ~a a:S ~b b:F ~q q:A"),
        ],
    );
}

#[test]
fn any_finish_in_a_loop_begins_its_next_run_at_once_when_it_had_blocked() {
    check_looping(
        any_finish([run("a", "RS"), run("b", "")]),
        &[
            (&[], Running, "+a +b"),
            (&[], Running, "~a a:S ~b b:A +a +b"),
        ],
    );
}

#[test]
fn any_finish_lets_a_child_finish_its_chain_in_the_pass() {
    check(
        any_finish([
            run("a", "RS"),
            sequence([run("b", "RS"), now("c", ""), now("d", "F")]),
        ]),
        &[
            (&[], Running, "+a +b"),
            (&[], Failure, "~a a:S ~b b:S +c c:S +d d:F"),
        ],
    );
}

#[test]
fn any_finish_whose_child_is_ended_by_a_guard_ends_with_the_pass() {
    let a = run("a", "").guard("k0", Abort::Own);
    check(
        any_finish([run("p", ""), a, run("q", "")]),
        &[
            (&[Op::Key("k0", true)], Running, "+p +a +q"),
            // The host wrote: it reacts before the turn.
            (&[Op::Key("k0", false)], Failure, "a:A q:A p:A"),
        ],
    );
}

#[test]
fn any_finish_whose_child_is_ended_by_a_write_of_the_turn_ends_with_the_turn() {
    let a = run("a", "").guard_not("k0", Abort::Own);
    let put = now("put", "").act(Act::Set("k0", true));
    let put = sequence([run("r", "RS"), put, pend("z")]);
    check(
        any_finish([put, a, run("q", "")]),
        &[
            (&[], Running, "+r +a +q"),
            (&[], Failure, "~r r:S +put put:S a:A +z ~q q:A z:A"),
        ],
    );
}

#[test]
fn any_finish_delivers_what_a_child_fired_when_it_is_over() {
    let fires = now("f", "").act(Act::Fire("go"));
    let inner = any_finish([sequence([wait("go"), now("x", "")]), fires]);
    check(
        parallel(2, 1, [inner, sequence([wait("go"), now("y", "")])]),
        &[(&[], Success, "+f f:S +y y:S")],
    );
}

#[test]
fn any_finish_below_a_timeout_calls_all_polled_children_at_the_deadline() {
    check(
        timeout(4, any_finish([run("a", "RF"), run("b", "RS")])),
        &[
            (&[], Running, "+a +b"),
            (&[Op::Poll(4)], Success, "~a a:F ~b b:S"),
        ],
    );
}

#[test]
fn guard_inside_a_parallel_fails_its_child_and_the_others_go_on() {
    let a = run("a", "").guard("f0", Abort::Own);
    check(
        parallel(1, 2, [run("p", ""), a, run("q", "RRS")]),
        &[
            (&[Op::Flag("f0", true)], Running, "+p ?f0 +a +q"),
            (&[Op::Flag("f0", false)], Running, "~p ?f0 a:A ~q"),
            (&[Op::Flag("f0", true)], Success, "~p ~q q:S p:A"),
        ],
    );
}

#[test]
fn takeover_aborts_a_parallel_in_reverse_order() {
    let lost = parallel(2, 2, [run("a", ""), select([holds("f0"), run("b", "")])]);
    check(
        select([now("x", "").guard("k0", Abort::Lower), lost]),
        &[
            (&[], Running, "+a ?f0 +b"),
            (&[Op::Key("k0", true)], Success, "b:A a:A +x x:S"),
        ],
    );
}

#[test]
fn stop_in_a_child_of_a_parallel_enters_no_further_child() {
    let stops = now("s", "").act(Act::Stop);
    check(
        parallel(3, 1, [run("a", ""), stops, run("b", "")]),
        &[(&[], Failure, "+a +s s:S a:A")],
    );
}

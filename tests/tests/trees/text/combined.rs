//! Rules that meet, in the runner and in the reference.

use bt_core::Status::{Failure, Running, Success};
use bt_tests::cases::{Abort, Act, Kind, Op};

use crate::text::harness::{
    Attach, any_finish, check, check_looping, holds, node, now, parallel, pend, reactive_select,
    reactive_sequence, rerun, run, select, sequence, timeout, wait,
};

#[test]
fn timers_of_one_time_are_due_in_the_order_in_which_they_were_set() {
    let late = sequence([
        node(Kind::Wait(1), []),
        node(Kind::Wait(2), []),
        now("a", ""),
    ]);
    let early = sequence([node(Kind::Wait(3), []), now("b", "")]);
    check(
        parallel(2, 2, [late, early]),
        &[
            (&[], Running, ""),
            (&[Op::Poll(1)], Running, ""),
            (&[Op::Poll(2)], Success, "+b b:S +a a:S"),
        ],
    );
}

#[test]
fn event_that_a_timers_pass_fires_comes_before_the_next_timer() {
    let fires = sequence([node(Kind::Wait(1), []), now("x", "").act(Act::Fire("go"))]);
    let timed = sequence([node(Kind::Wait(2), []), now("b", "")]);
    let waits = sequence([wait("go"), now("c", "")]);
    check(
        parallel(3, 1, [fires, timed, waits]),
        &[
            (&[], Running, ""),
            (&[Op::Poll(2)], Success, "+x x:S +c c:S +b b:S"),
        ],
    );
}

#[test]
fn wait_that_was_due_before_the_deadline_counts_first() {
    let inner = sequence([node(Kind::Wait(1), []), now("a", "")]);
    check(
        timeout(2, inner),
        &[(&[], Running, ""), (&[Op::Poll(3)], Success, "+a a:S")],
    );
}

#[test]
fn wait_after_one_that_was_due_counts_from_the_poll_and_the_deadline_comes_first() {
    let inner = sequence([
        node(Kind::Wait(1), []),
        node(Kind::Wait(1), []),
        now("a", ""),
    ]);
    check(
        timeout(2, inner),
        &[(&[], Running, ""), (&[Op::Poll(3)], Failure, "")],
    );
}

#[test]
fn any_finish_whose_only_child_a_guard_aborts_in_the_turn_decides_at_once() {
    let put = sequence([
        run("r", "RS"),
        now("put", "").act(Act::Set("k0", true)),
        pend("z"),
    ]);
    let one = any_finish([run("b", "").guard_not("k0", Abort::Own)]);
    check(
        parallel(2, 1, [put, one]),
        &[
            (&[], Running, "+r +b"),
            (&[], Failure, "~r r:S +put put:S b:A"),
        ],
    );
}

#[test]
fn any_finish_does_not_wait_for_a_child_that_has_nothing_to_do_in_the_turn() {
    let put = sequence([
        run("r", "RS"),
        now("put", "").act(Act::Set("k0", true)),
        pend("z"),
    ]);
    let any = any_finish([run("b", "").guard_not("k0", Abort::Own), pend("c")]);
    check(
        parallel(2, 1, [put, any]),
        &[
            (&[], Running, "+r +b +c"),
            (&[], Failure, "~r r:S +put put:S b:A c:A"),
        ],
    );
}

#[test]
fn any_finish_waits_for_a_guard_below_it_that_is_due_in_the_turn() {
    let put = sequence([
        run("r", "RS"),
        now("put", "").act(Act::Set("k0", true)),
        pend("z"),
    ]);
    let c = pend("c").guard("f0", Abort::Own);
    let any = any_finish([run("b", "").guard_not("k0", Abort::Own), c]);
    check(
        parallel(2, 1, [put, any]),
        &[
            (&[Op::Flag("f0", true)], Running, "+r +b ?f0 +c"),
            (&[], Failure, "~r r:S +put put:S b:A +z ?f0 c:A z:A"),
        ],
    );
}

#[test]
fn any_finish_waits_for_a_child_whose_turn_is_to_come() {
    let put = sequence([
        run("r", "RS"),
        now("put", "").act(Act::Set("k0", true)),
        pend("z"),
    ]);
    let any = any_finish([run("b", "").guard_not("k0", Abort::Own), run("c", "RS")]);
    check(
        parallel(2, 1, [put, any]),
        &[
            (&[], Running, "+r +b +c"),
            (&[], Running, "~r r:S +put put:S b:A +z ~c c:S"),
        ],
    );
}

#[test]
fn rerun_counts_what_a_delivery_ended_with_what_the_turn_ends() {
    let a = sequence([wait("go"), now("a", "S")]);
    check(
        rerun(2, 2, [a, now("b", "FS")]),
        &[
            (&[], Running, "+b b:F"),
            (&[Op::Fire("go")], Success, "+a a:S +b b:S"),
        ],
    );
}

#[test]
fn frames_enters_a_child_that_its_guard_refuses_in_every_poll() {
    let a = run("a", "").guard("f0", Abort::Own);
    check(
        node(Kind::Frames(3), [a]),
        &[
            (&[], Running, "?f0"),
            (&[Op::Flag("f0", true)], Running, "?f0 +a"),
            (&[Op::Flag("f0", false)], Success, "?f0 a:A"),
        ],
    );
}

#[test]
fn retry_tries_a_refused_child_again_in_the_same_poll() {
    let a = run("a", "").guard("f0", Abort::Own);
    check(node(Kind::Retry(3), [a]), &[(&[], Failure, "?f0 ?f0 ?f0")]);
}

#[test]
fn while_loop_runs_an_instant_body_once_a_poll_though_its_condition_had_blocked() {
    check(
        node(Kind::WhileLoop, [run("c", "RSSF"), now("b", "")]),
        &[
            (&[], Running, "+c"),
            (&[], Running, "~c c:S +b b:S"),
            (&[], Running, "+c c:S +b b:S"),
            (&[], Success, "+c c:F"),
        ],
    );
}

#[test]
fn while_loop_evaluates_its_condition_at_once_after_a_body_that_had_blocked() {
    check(
        node(Kind::WhileLoop, [holds("f0"), run("b", "RFRS")]),
        &[
            (&[Op::Flag("f0", true)], Running, "?f0 +b"),
            (&[], Running, "~b b:F ?f0 +b"),
            (&[Op::Flag("f0", false)], Success, "~b b:S ?f0"),
        ],
    );
}

#[test]
fn loop_ends_with_its_last_iteration() {
    check(
        node(Kind::Loop(2), [now("a", "FF")]),
        &[(&[], Running, "+a a:F"), (&[], Success, "+a a:F")],
    );
}

#[test]
fn guard_on_the_child_of_a_while_loop_ends_the_iteration_only() {
    let b = run("b", "").guard("k", Abort::Own);
    check(
        node(Kind::WhileLoop, [holds("f0"), b]),
        &[
            (
                &[Op::Flag("f0", true), Op::Key("k", true)],
                Running,
                "?f0 +b",
            ),
            (&[Op::Key("k", false)], Running, "b:A ?f0"),
            (&[Op::Flag("f0", false)], Success, "?f0"),
        ],
    );
}

#[test]
fn third_event_of_a_loop_is_kept_for_the_run_that_begins_in_the_next_poll() {
    check_looping(
        sequence([wait("go"), now("a", "")]),
        &[
            (&[], Running, ""),
            (
                &[Op::Fire("go"), Op::Fire("go"), Op::Fire("go")],
                Success,
                "+a a:S +a a:S",
            ),
            (&[], Success, "+a a:S"),
            (&[], Running, ""),
        ],
    );
}

#[test]
fn several_earlier_asynchronous_children_of_a_reactive_sequence_take_over_in_turn() {
    check(
        reactive_sequence([run("a", "SRSS"), run("b", "RRS"), run("c", "")]),
        &[
            (&[], Running, "+a a:S +b"),
            (&[], Running, "+a b:A"),
            (&[], Running, "~a a:S +b"),
            (&[], Running, "+a a:S ~b b:S +c"),
        ],
    );
}

#[test]
fn reactive_ancestor_that_was_entered_in_this_poll_has_no_turn_to_take_first() {
    let a = run("a", "F").guard("k0", Abort::Own);
    let put = sequence([now("put", "").act(Act::Set("k0", true)), pend("c")]);
    let b = parallel(2, 1, [run("b", "").guard_not("k0", Abort::Own), put]);
    check(
        reactive_select([a, b]),
        &[(&[], Failure, "+b +put put:S b:A +c c:A")],
    );
}

#[test]
fn keep_place_remembers_the_child_whose_write_aborted_the_sequence() {
    let put = now("put", "").act(Act::Set("k", true));
    let kept = sequence([now("a", ""), put, pend("c")]).keep_place();
    check(
        select([run("x", "RF").guard("k", Abort::Lower), kept]),
        &[
            (&[], Running, "+a a:S +put put:S +x"),
            (&[], Running, "~x x:F +put put:S +c"),
        ],
    );
}

#[test]
fn paused_polls_count_for_no_wait_and_no_frames() {
    let waits = sequence([node(Kind::WaitFrames(3), []), now("w", "")]);
    check(
        parallel(2, 1, [waits, node(Kind::Frames(3), [run("p", "")])]),
        &[
            (&[], Running, "+p"),
            (&[Op::Pause, Op::Poll(1)], Running, ""),
            (&[Op::Poll(1)], Running, ""),
            (&[Op::Resume, Op::Poll(0)], Running, "~p"),
            (&[], Success, "+w w:S ~p p:A"),
        ],
    );
}

#[test]
fn delay_counts_anew_when_it_is_entered_again() {
    let delayed = node(Kind::Delay(2), [pend("a")]);
    check(
        select([run("x", "RF").guard("k", Abort::Both), delayed]),
        &[
            (&[], Running, ""),
            (&[Op::Key("k", true), Op::Poll(1)], Running, "+x"),
            (&[Op::Poll(1)], Running, "~x x:F"),
            (&[Op::Poll(1)], Running, ""),
            (&[Op::Poll(1)], Running, "+a"),
        ],
    );
}

#[test]
fn cooldown_is_over_when_the_clock_has_reached_its_end() {
    let time = 2;
    let on_success = false;
    let cooled = node(Kind::Cooldown { time, on_success }, [now("a", "F")]);
    check_looping(
        select([cooled, node(Kind::Wait(1), [])]),
        &[
            (&[], Running, "+a a:F"),
            (&[Op::Poll(1)], Running, ""),
            (&[Op::Poll(1)], Success, "+a a:S"),
        ],
    );
}

#[test]
fn none_guard_beside_a_lower_one_aborts_nothing() {
    let a = run("a", "").guard("k1", Abort::None);
    let a = a.guard("k2", Abort::Lower);
    check(
        select([a, run("b", "")]),
        &[
            (&[Op::Key("k2", true)], Running, "+b"),
            (&[Op::Key("k1", true)], Running, "b:A +a"),
            (&[Op::Key("k1", false), Op::Key("k2", false)], Running, "~a"),
        ],
    );
}

#[test]
fn both_guard_that_turns_false_and_true_by_what_the_next_child_writes_takes_over_again() {
    let a = run("a", "").guard("k0", Abort::Both);
    let b = sequence([now("put", "").act(Act::Set("k0", true)), pend("b")]);
    check(
        select([a, b]),
        &[
            (&[Op::Key("k0", true)], Running, "+a"),
            (&[Op::Key("k0", false)], Running, "a:A +put put:S +a"),
        ],
    );
}

#[test]
fn once_runs_again_after_an_abort() {
    let once = node(Kind::Once, [run("a", "RRS")]);
    check(
        select([run("x", "RF").guard("k", Abort::Both), once]),
        &[
            (&[], Running, "+a"),
            (&[Op::Key("k", true)], Running, "a:A +x"),
            (&[], Running, "~x x:F +a"),
            (&[], Success, "~a a:S"),
        ],
    );
}

#[test]
fn deadline_lets_the_polled_children_decide_in_that_delivery() {
    check(
        timeout(1, parallel(1, 2, [run("a", "RF"), run("b", "RS")])),
        &[
            (&[], Running, "+a +b"),
            (&[Op::Poll(1)], Success, "~a a:F ~b b:S"),
        ],
    );
}

#[test]
fn deadline_aborts_what_a_polled_child_that_ended_made_way_for() {
    let z = select([
        timeout(1, sequence([run("a", "RS"), run("c", "")])),
        run("z", ""),
    ]);
    check(
        z,
        &[
            (&[], Running, "+a"),
            (&[Op::Poll(1)], Running, "~a a:S +c c:A +z"),
        ],
    );
}

#[test]
fn polled_child_that_was_called_at_a_deadline_has_had_its_turn() {
    let inner = timeout(1, run("a", "RR"));
    check(
        select([inner, run("z", "")]),
        &[(&[], Running, "+a"), (&[Op::Poll(1)], Running, "~a a:A +z")],
    );
}

#[test]
fn deadline_outside_comes_before_a_later_one_inside() {
    let inner = node(Kind::AlwaysTrue, [timeout(2, run("a", ""))]);
    check(
        timeout(1, inner),
        &[(&[], Running, "+a"), (&[Op::Poll(3)], Failure, "~a a:A")],
    );
}

#[test]
fn deadline_inside_that_came_first_ends_its_child_before_the_outer_one() {
    let inner = node(Kind::AlwaysTrue, [timeout(1, run("a", ""))]);
    check(
        timeout(2, inner),
        &[(&[], Running, "+a"), (&[Op::Poll(3)], Success, "~a a:A")],
    );
}

#[test]
fn guards_of_reactive_children_to_the_left_are_evaluated_at_each_entry() {
    let a = now("a", "FF").guard("f0", Abort::Own);
    check(
        reactive_select([a, run("b", "")]),
        &[
            (&[], Running, "?f0 +b"),
            (&[Op::Flag("f0", true)], Running, "?f0 +a a:F ~b"),
            (&[Op::Flag("f0", false)], Running, "?f0 ~b"),
        ],
    );
}

#[test]
fn lower_guard_that_holds_when_its_node_fails_waits_for_a_change() {
    let a = run("a", "RF").guard("k", Abort::Lower);
    check(
        select([a, run("b", "")]),
        &[
            (&[Op::Key("k", true)], Running, "+a"),
            (&[], Running, "~a a:F +b"),
            (&[], Running, "~b"),
            (&[Op::Key("k", false)], Running, "~b"),
            (&[Op::Key("k", true)], Running, "b:A +a"),
        ],
    );
}

#[test]
fn service_catches_up_with_nothing() {
    let a = run("a", "").service(2);
    check(
        sequence([a]),
        &[
            (&[], Running, "service main.2 +a"),
            (&[Op::Poll(7)], Running, "service main.2 ~a"),
            (&[Op::Poll(1)], Running, "~a"),
            (&[Op::Poll(1)], Running, "service main.2 ~a"),
        ],
    );
}

#[test]
fn run_limit_counts_no_abort_and_begins_again_when_its_condition_holds() {
    let kind = Kind::RunLimit {
        count: 1,
        on: None,
        reset_if: Some("f0"),
    };
    let limited = node(kind, [run("a", "RRSS")]);
    check_looping(
        select([
            run("x", "RF").guard("k", Abort::Both),
            limited,
            run("z", "RF"),
        ]),
        &[
            (&[], Running, "?f0 +a"),
            (&[Op::Key("k", true)], Running, "a:A +x"),
            (&[Op::Key("k", false)], Running, "x:A ?f0 +a"),
            (&[], Running, "~a a:S ?f0 +z"),
            (&[Op::Flag("f0", true)], Success, "~z z:F ?f0 +a a:S"),
        ],
    );
}

#[test]
fn success_until_counts_over_restarts() {
    check(
        node(Kind::SuccessUntil(2), [now("a", "FFF")]),
        &[
            (&[], Success, "+a a:F"),
            (&[Op::Start], Failure, "+a a:F"),
            (&[Op::Start], Failure, "+a a:F"),
        ],
    );
}

#[test]
fn runner_drops_events_fired_between_an_end_and_a_start() {
    check(
        sequence([now("a", ""), wait("go"), now("b", "")]),
        &[
            (&[Op::Fire("go")], Success, "+a a:S +b b:S"),
            (&[Op::Fire("go"), Op::Start], Running, "+a a:S"),
        ],
    );
}

#[test]
fn probability_whose_child_is_refused_by_its_guard_fails() {
    let a = run("a", "").guard("f0", Abort::Own);
    check(
        node(Kind::Probability(vec![1, 0]), [a, now("b", "")]),
        &[(&[], Failure, "?f0")],
    );
}

#[test]
fn reaction_reaches_a_guard_above_the_select_before_one_that_takes_over_in_it() {
    let a = run("a", "").guard("k0", Abort::Lower);
    let put = sequence([run("r", "RS"), now("put", "").act(Act::Set("k0", true))]);
    let inner = select([a, put]).guard_not("k0", Abort::Own);
    check(
        select([inner, pend("z")]),
        &[(&[], Running, "+r"), (&[], Running, "~r r:S +put put:S +z")],
    );
}

#[test]
fn memory_select_is_taken_over_by_a_child_that_it_had_passed() {
    let a = run("a", "F").guard("k", Abort::Lower);
    check_looping(
        node(
            Kind::MemorySelect { keep_place: false },
            [a, run("b", "SR")],
        ),
        &[
            (&[Op::Key("k", true)], Success, "+a a:F +b b:S"),
            (&[], Running, "+b"),
            (&[Op::Key("k", false)], Running, "~b"),
            (&[Op::Key("k", true)], Running, "b:A +a"),
        ],
    );
}

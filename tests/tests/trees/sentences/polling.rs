//! Chapter "Polling": deliveries, passes, the turn, the next run, what a call writes and asks for.

use bt_core::Status::{Failure, Running, Success};
use bt_tests::cases::{Abort, Act, Kind, Node, Op, When};

use crate::text::harness::{
    Attach, check, check_looping, holds, node, now, parallel, pend, reactive_select, run, select,
    sequence, timeout, wait,
};

fn sleep(quarters: u64) -> Node {
    node(Kind::Wait(quarters), [])
}

fn sends(name: &str) -> Node {
    now(name, "").act(Act::Fire("go"))
}

#[test]
fn event_that_arrived_first_is_delivered_first() {
    check(
        parallel(
            2,
            1,
            [
                sequence([wait("go"), now("x", "")]),
                sequence([pend("a"), now("y", "")]),
            ],
        ),
        &[
            (&[], Running, "+a"),
            (
                &[Op::Fire("go"), Op::End(1, true)],
                Success,
                "+x x:S a:S +y y:S",
            ),
        ],
    );
}

#[test]
fn completion_that_arrived_first_is_delivered_first() {
    check(
        parallel(
            2,
            1,
            [
                sequence([wait("go"), now("x", "")]),
                sequence([pend("a"), now("y", "")]),
            ],
        ),
        &[
            (&[], Running, "+a"),
            (
                &[Op::End(1, true), Op::Fire("go")],
                Success,
                "a:S +y y:S +x x:S",
            ),
        ],
    );
}

#[test]
fn timers_are_delivered_in_the_order_of_their_times() {
    check(
        parallel(
            2,
            1,
            [
                sequence([sleep(4), now("x", "")]),
                sequence([sleep(2), now("y", "")]),
            ],
        ),
        &[
            (&[], Running, ""),
            (&[Op::Poll(8)], Success, "+y y:S +x x:S"),
        ],
    );
}

#[test]
fn event_is_delivered_before_a_timer_that_was_due_earlier() {
    check(
        parallel(
            2,
            1,
            [
                sequence([sleep(2), now("x", "")]),
                sequence([wait("go"), now("y", "")]),
            ],
        ),
        &[
            (&[], Running, ""),
            (&[Op::Fire("go"), Op::Poll(8)], Success, "+y y:S +x x:S"),
        ],
    );
}

#[test]
fn wait_that_a_late_timer_leads_to_counts_from_the_poll() {
    check(
        sequence([sleep(2), sleep(2), now("x", "")]),
        &[
            (&[], Running, ""),
            (&[Op::Poll(8)], Running, ""),
            (&[Op::Poll(1)], Running, ""),
            (&[Op::Poll(1)], Success, "+x x:S"),
        ],
    );
}

#[test]
fn one_event_ends_one_of_two_waits_in_a_row() {
    check(
        sequence([wait("go"), wait("go"), now("x", "")]),
        &[
            (&[], Running, ""),
            (&[Op::Fire("go")], Running, ""),
            (&[Op::Fire("go")], Success, "+x x:S"),
        ],
    );
}

#[test]
fn node_evaluates_its_own_guard_before_what_its_kind_does() {
    let inner = reactive_select([holds("f1"), run("b", "")]).guard("f0", Abort::Own);
    check(
        select([inner, pend("z")]),
        &[
            (&[Op::Flag("f0", true)], Running, "?f0 ?f1 +b"),
            (&[], Running, "?f0 ?f1 ~b"),
            (&[Op::Flag("f0", false)], Running, "?f0 b:A +z"),
        ],
    );
}

#[test]
fn node_evaluates_its_own_guard_before_the_lower_ones_below_it() {
    let a = now("a", "").guard("f1", Abort::Lower);
    let inner = select([a, run("b", "")]).guard("f0", Abort::Own);
    check(
        select([inner, pend("z")]),
        &[
            (&[Op::Flag("f0", true)], Running, "?f0 ?f1 +b"),
            (&[], Running, "?f0 ?f1 ~b"),
            (
                &[Op::Flag("f0", false), Op::Flag("f1", true)],
                Running,
                "?f0 b:A +z",
            ),
        ],
    );
}

#[test]
fn leftmost_lower_guard_takes_over_and_the_next_is_not_evaluated() {
    check(
        select([
            run("a", "").guard("f0", Abort::Lower),
            run("b", "").guard("f1", Abort::Lower),
            run("c", ""),
        ]),
        &[
            (&[], Running, "?f0 ?f1 +c"),
            (&[], Running, "?f0 ?f1 ~c"),
            (
                &[Op::Flag("f0", true), Op::Flag("f1", true)],
                Running,
                "?f0 c:A +a",
            ),
        ],
    );
}

#[test]
fn guard_of_a_branch_that_is_taken_over_from_is_not_evaluated() {
    let b = sequence([sequence([run("b", "").guard("f1", Abort::Own)])]);
    check(
        select([run("a", "").guard("f0", Abort::Lower), b]),
        &[
            (&[Op::Flag("f1", true)], Running, "?f0 ?f1 +b"),
            (&[], Running, "?f0 ?f1 ~b"),
            (
                &[Op::Flag("f0", true), Op::Flag("f1", false)],
                Running,
                "?f0 b:A +a",
            ),
        ],
    );
}

#[test]
fn guard_of_mode_both_is_evaluated_once_a_poll() {
    check(
        select([run("a", "").guard("f0", Abort::Both), run("b", "")]),
        &[
            (&[], Running, "?f0 +b"),
            (&[], Running, "?f0 ~b"),
            (&[Op::Flag("f0", true)], Running, "?f0 b:A +a"),
            (&[], Running, "?f0 ~a"),
            (&[Op::Flag("f0", false)], Running, "?f0 a:A +b"),
            (&[], Running, "?f0 ~b"),
        ],
    );
}

#[test]
fn polled_action_whose_guard_does_not_hold_is_not_called_at_a_deadline() {
    let a = run("a", "").guard("f0", Abort::Own);
    check(
        timeout(4, node(Kind::AlwaysTrue, [a])),
        &[
            (&[Op::Flag("f0", true)], Running, "?f0 +a"),
            (&[Op::Flag("f0", false), Op::Poll(4)], Success, "?f0 a:A"),
        ],
    );
}

#[test]
fn run_that_began_and_ended_in_a_poll_is_followed_in_the_next() {
    check_looping(
        now("a", "SFS"),
        &[
            (&[], Success, "+a a:S"),
            (&[], Failure, "+a a:F"),
            (&[], Success, "+a a:S"),
        ],
    );
}

#[test]
fn run_that_had_blocked_is_followed_at_once() {
    check_looping(
        run("a", "RSRFSR"),
        &[
            (&[], Running, "+a"),
            (&[], Running, "~a a:S +a"),
            (&[], Success, "~a a:F +a a:S"),
            (&[], Running, "+a"),
        ],
    );
}

#[test]
fn run_that_is_due_begins_before_the_first_delivery() {
    check_looping(
        sequence([wait("go"), now("x", "")]),
        &[
            (&[], Running, ""),
            (&[Op::Fire("go"), Op::Fire("go")], Success, "+x x:S +x x:S"),
            (&[Op::Fire("go")], Success, "+x x:S"),
        ],
    );
}

#[test]
fn iteration_without_a_limit_begins_in_the_turn_after_the_deliveries() {
    check(
        node(Kind::Repeat(-1), [sequence([wait("go"), now("x", "")])]),
        &[
            (&[], Running, ""),
            // The third finds no waiter.
            (
                &[Op::Fire("go"), Op::Fire("go"), Op::Fire("go")],
                Running,
                "+x x:S +x x:S",
            ),
            // Nor does this: the wait is entered in the turn.
            (&[Op::Fire("go")], Running, ""),
            (&[Op::Fire("go")], Running, "+x x:S"),
        ],
    );
}

#[test]
fn until_success_without_a_limit_runs_a_child_that_had_blocked_again_at_once() {
    check(
        node(Kind::UntilSuccess(-1), [run("a", "RFRFFS")]),
        &[
            (&[], Running, "+a"),
            (&[], Running, "~a a:F +a"),
            (&[], Running, "~a a:F +a a:F"),
            (&[], Success, "+a a:S"),
        ],
    );
}

#[test]
fn until_failure_without_a_limit_looks_once_a_poll() {
    check(
        node(Kind::UntilFailure(-1), [now("a", "SSF")]),
        &[
            (&[], Running, "+a a:S"),
            (&[], Running, "+a a:S"),
            (&[], Success, "+a a:F"),
        ],
    );
}

#[test]
fn retry_without_a_limit_tries_once_a_poll() {
    check(
        node(Kind::Retry(-1), [now("a", "FFS")]),
        &[
            (&[], Running, "+a a:F"),
            (&[], Running, "+a a:F"),
            (&[], Success, "+a a:S"),
        ],
    );
}

#[test]
fn nested_repeats_without_a_limit_iterate_once_a_poll() {
    let inner = node(Kind::Retry(-1), [now("a", "FSS")]);
    check(
        node(Kind::Repeat(-1), [inner]),
        &[
            (&[], Running, "+a a:F"),
            // The retry began in an earlier poll, so that the repeat runs it again at once.
            (&[], Running, "+a a:S +a a:S"),
            (&[], Running, "+a a:S"),
        ],
    );
}

#[test]
fn event_of_an_action_is_delivered_after_the_pass() {
    check(
        parallel(
            2,
            1,
            [
                sequence([wait("go"), now("x", "")]),
                sequence([sends("f"), now("y", "")]),
            ],
        ),
        &[(&[], Success, "+f f:S +y y:S +x x:S")],
    );
}

#[test]
fn event_of_an_action_reaches_a_wait_that_is_entered_later_in_the_pass() {
    check(
        sequence([sends("f"), wait("go"), now("x", "")]),
        &[(&[], Success, "+f f:S +x x:S")],
    );
}

#[test]
fn event_that_is_fired_in_the_turn_is_delivered_after_it_and_no_second_turn_follows() {
    check(
        parallel(
            2,
            1,
            [
                sequence([run("r", "RS"), wait("go"), run("x", "")]),
                run("p", "").act(Act::Fire("go")),
            ],
        ),
        &[
            (&[], Running, "+r +p"),
            (&[], Running, "~r r:S ~p +x"),
            (&[], Running, "~x ~p"),
        ],
    );
}

#[test]
fn events_of_two_actions_are_delivered_one_pass_after_the_other() {
    let told = now("t", "").act(Act::Fire("told"));
    check(
        parallel(
            3,
            1,
            [
                sequence([wait("told"), now("x", "")]),
                sequence([wait("go"), told, now("y", "")]),
                sequence([sends("f"), now("z", "")]),
            ],
        ),
        &[(&[], Success, "+f f:S +z z:S +t t:S +y y:S +x x:S")],
    );
}

#[test]
fn enter_effect_that_turns_the_guard_of_its_own_node_aborts_it_before_its_child_is_entered() {
    let a = sequence([now("a", "")]).guard_not("k0", Abort::Own);
    let a = a
        .put(When::Enter, "k0", true)
        .put(When::Exit, "k1", true)
        .put(When::Failure, "k2", true);
    check(
        select([a, pend("z")]),
        &[(
            &[],
            Running,
            "put k0 true at main.2 on enter put k2 true at main.2 on failure \
             put k1 true at main.2 on exit +z",
        )],
    );
}

#[test]
fn service_that_turns_the_guard_of_its_own_node_aborts_it_before_its_child_is_entered() {
    let a = sequence([now("a", "")]).guard_not("k0", Abort::Own);
    let a = a.service(4).put(When::Service, "k0", true);
    check(
        select([a, pend("z")]),
        &[(&[], Running, "service main.2 +z")],
    );
}

#[test]
fn success_effect_reacts_before_the_exit_effect() {
    let a = now("a", "").put(When::Success, "k0", true);
    let inner = sequence([a.put(When::Exit, "k1", true)]).guard_not("k0", Abort::Own);
    check(
        select([inner, pend("z")]),
        &[(
            &[],
            Running,
            "+a a:S put k0 true at main.3 on success put k1 true at main.3 on exit +z",
        )],
    );
}

#[test]
fn last_child_that_writes_fails_its_guarded_parent_before_that_succeeds() {
    let put = now("put", "").act(Act::Set("k0", true));
    let inner = sequence([now("a", ""), put]).guard_not("k0", Abort::Own);
    check(
        select([inner, pend("z")]),
        &[(&[], Running, "+a a:S +put put:S +z")],
    );
}

#[test]
fn write_to_the_right_aborts_what_had_its_turn_to_the_left() {
    let put = now("put", "").act(Act::Set("k0", true));
    let left = select([run("a", "").guard_not("k0", Abort::Own), run("z", "")]);
    check(
        parallel(2, 1, [left, sequence([run("r", "RS"), put])]),
        &[
            (&[], Running, "+a +r"),
            (&[], Running, "~a ~r r:S +put put:S a:A +z"),
            (&[], Running, "~z"),
        ],
    );
}

#[test]
fn write_in_the_turn_aborts_what_is_to_the_right_before_its_turn() {
    let put = now("put", "").act(Act::Set("k0", true));
    let right = select([run("a", "").guard_not("k0", Abort::Own), run("z", "")]);
    check(
        parallel(2, 1, [sequence([run("r", "RS"), put]), right]),
        &[
            (&[], Running, "+r +a"),
            (&[], Running, "~r r:S +put put:S a:A +z"),
            (&[], Running, "~z"),
        ],
    );
}

#[test]
fn guard_follows_a_key_at_each_write_of_one_turn() {
    // `p` calls: true, true, false. Guards react between the calls of one turn.
    let on = run("on", "R").act(Act::Set("k0", true));
    let off = run("off", "R").act(Act::Set("k0", false));
    let a = select([run("a", "").guard("k0", Abort::Both), pend("z")]);
    check(
        parallel(3, 1, [on, a, off]),
        &[
            (&[], Running, "+on +a +off a:A +z"),
            (&[], Running, "~on z:A +a ~off a:A +z"),
        ],
    );
}

#[test]
fn key_of_the_host_takes_over_before_an_event_that_was_fired_before_it() {
    check(
        select([
            run("a", "").guard("k0", Abort::Lower),
            sequence([wait("go"), now("x", "")]),
        ]),
        &[
            (&[], Running, ""),
            (&[Op::Fire("go"), Op::Key("k0", true)], Running, "+a"),
        ],
    );
}

#[test]
fn key_of_the_host_that_is_as_before_at_the_poll_changes_nothing() {
    check(
        select([run("a", "").guard("k0", Abort::Both), run("z", "")]),
        &[
            (&[Op::Key("k0", true)], Running, "+a"),
            (&[Op::Key("k0", false), Op::Key("k0", true)], Running, "~a"),
        ],
    );
}

#[test]
fn write_of_a_call_that_fails_reacts_before_the_select_goes_on() {
    let put = now("put", "F").act(Act::Set("k0", true));
    check(
        select([run("a", "").guard("k0", Abort::Lower), put, now("c", "")]),
        &[(&[], Running, "+put put:F +a")],
    );
}

#[test]
fn takeover_by_a_write_below_a_repeat_clears_its_counter() {
    let put = now("put", "").act(Act::Set("k0", true));
    let inner = node(
        Kind::Repeat(2),
        [sequence([now("x", ""), run("r", "RS"), put])],
    );
    check(
        select([run("a", "RF").guard("k0", Abort::Lower), inner]),
        &[
            (&[], Running, "+x x:S +r"),
            (&[], Running, "~r r:S +put put:S +a"),
            (&[], Running, "~a a:F +x x:S +r"),
        ],
    );
}

//! Chapter "Attachments": guards of every mode, and what they meet.

use bt_core::Status::{Failure, Running, Success};
use bt_tests::cases::{Abort, Act, Kind, Op};

use crate::text::harness::{
    Attach, check, check_looping, holds, node, now, parallel, pend, reactive_sequence, rerun, run,
    select, sequence, timeout, wait,
};

const ON: &[Op] = &[Op::Key("k0", true)];
const OFF: &[Op] = &[Op::Key("k0", false)];

#[test]
fn guard_none_is_checked_before_entry_only() {
    check(
        select([run("a", "").guard("f0", Abort::None), pend("z")]),
        &[
            (&[Op::Flag("f0", true)], Running, "?f0 +a"),
            (&[Op::Flag("f0", false)], Running, "~a"),
        ],
    );
}

#[test]
fn guard_that_does_not_hold_fails_the_node_and_nothing_of_it_is_entered() {
    let a = sequence([now("a", "")])
        .logged()
        .service(4)
        .guard("f0", Abort::Own);
    check(
        sequence([now("x", ""), a, now("y", "")]),
        &[(&[], Failure, "+x x:S ?f0")],
    );
}

#[test]
fn lower_guard_aborts_no_node_of_its_own() {
    check(
        select([run("a", "").guard("k0", Abort::Lower), run("b", "")]),
        &[
            (ON, Running, "+a"),
            (OFF, Running, "~a"),
            (ON, Running, "~a"),
        ],
    );
}

#[test]
fn lower_guard_acts_on_a_change_to_true_only() {
    check(
        select([run("a", "F").guard("f0", Abort::Lower), run("b", "")]),
        &[
            (&[Op::Flag("f0", true)], Running, "?f0 +a a:F +b"),
            (&[], Running, "?f0 ~b"),
            (&[Op::Flag("f0", false)], Running, "?f0 ~b"),
            (&[Op::Flag("f0", true)], Running, "?f0 b:A +a"),
            // No sibling to the right runs.
            (&[Op::Flag("f0", false)], Running, "~a"),
        ],
    );
}

#[test]
fn node_takes_over_when_the_last_of_its_guards_turns_true() {
    let a = run("a", "")
        .guard("k0", Abort::Lower)
        .guard("k1", Abort::None);
    check(
        select([a, run("b", "")]),
        &[
            (&[], Running, "+b"),
            (ON, Running, "~b"),
            (&[Op::Key("k1", true)], Running, "b:A +a"),
            (&[Op::Key("k1", false)], Running, "~a"),
            (OFF, Running, "~a"),
        ],
    );
}

#[test]
fn node_with_a_self_and_a_lower_guard_is_aborted_by_the_first_only() {
    let a = run("a", "")
        .guard("k0", Abort::Own)
        .guard("k1", Abort::Lower);
    check(
        select([a, run("b", "")]),
        &[
            (&[Op::Key("k0", true), Op::Key("k1", true)], Running, "+a"),
            (&[Op::Key("k1", false)], Running, "~a"),
            (OFF, Running, "a:A +b"),
            (ON, Running, "~b"),
            (&[Op::Key("k1", true)], Running, "b:A +a"),
        ],
    );
}

#[test]
fn guards_are_checked_in_order_and_cut_short() {
    let a = now("a", "")
        .guard("f0", Abort::None)
        .guard("f1", Abort::None);
    check_looping(
        select([a, now("b", "")]),
        &[
            (&[], Success, "?f0 +b b:S"),
            (&[Op::Flag("f0", true)], Success, "?f0 ?f1 +b b:S"),
            (&[Op::Flag("f1", true)], Success, "?f0 ?f1 +a a:S"),
        ],
    );
}

#[test]
fn poll_guard_is_evaluated_every_poll_though_its_node_waits() {
    check(
        select([pend("a").guard("f0", Abort::Poll), pend("z")]),
        &[
            (&[Op::Flag("f0", true)], Running, "?f0 +a"),
            (&[], Running, "?f0"),
            (&[Op::Flag("f0", false)], Running, "?f0 a:A +z"),
            (&[Op::Flag("f0", true)], Running, ""),
        ],
    );
}

#[test]
fn outer_guard_aborts_before_the_inner_one_is_evaluated() {
    let inner = sequence([pend("a").guard("f1", Abort::Own)]).guard("f0", Abort::Own);
    check(
        select([inner, pend("z")]),
        &[
            (
                &[Op::Flag("f0", true), Op::Flag("f1", true)],
                Running,
                "?f0 ?f1 +a",
            ),
            (
                &[Op::Flag("f0", false), Op::Flag("f1", false)],
                Running,
                "?f0 a:A +z",
            ),
        ],
    );
}

#[test]
fn lower_guard_of_a_memory_select_takes_over_and_all_children_between_follow() {
    let x = now("x", "F").guard("k0", Abort::Lower);
    check(
        node(
            Kind::MemorySelect { keep_place: false },
            [x, now("y", "F"), run("b", "")],
        ),
        &[
            (&[], Running, "+y y:F +b"),
            (ON, Success, "b:A +x x:F +y y:S"),
        ],
    );
}

#[test]
fn takeover_of_an_outer_select_outranks_that_of_an_inner_one() {
    let inner = select([run("y", "").guard("k1", Abort::Lower), run("b", "")]);
    let main = select([run("x", "").guard("k0", Abort::Lower), inner]);
    check(
        main.clone(),
        &[
            (&[], Running, "+b"),
            (
                &[Op::Key("k1", true), Op::Key("k0", true)],
                Running,
                "b:A +x",
            ),
        ],
    );
    check(
        main,
        &[
            (&[], Running, "+b"),
            (&[Op::Key("k1", true)], Running, "b:A +y"),
            (ON, Running, "y:A +x"),
        ],
    );
}

#[test]
fn takeover_that_fails_inside_gives_back_to_the_loser_entered_anew() {
    let x = sequence([holds("f0"), pend("x")]).guard("k0", Abort::Lower);
    check(
        select([x, sequence([now("b", ""), run("c", "")])]),
        &[
            (&[], Running, "+b b:S +c"),
            (ON, Running, "c:A ?f0 +b b:S +c"),
            (OFF, Running, "~c"),
            (
                &[Op::Key("k0", true), Op::Flag("f0", true)],
                Running,
                "c:A ?f0 +x",
            ),
        ],
    );
}

#[test]
fn both_lets_the_select_go_on_with_the_next_child_and_come_back() {
    let middle = run("m", "").guard("k1", Abort::Both);
    check(
        select([run("a", "").guard("k0", Abort::Both), middle, run("b", "")]),
        &[
            (&[Op::Key("k0", true), Op::Key("k1", true)], Running, "+a"),
            (OFF, Running, "a:A +m"),
            (&[Op::Key("k1", false)], Running, "m:A +b"),
            (
                &[Op::Key("k1", true), Op::Key("k0", true)],
                Running,
                "b:A +a",
            ),
        ],
    );
}

#[test]
fn guard_that_aborts_a_child_of_a_retry_is_evaluated_again_for_the_next_attempt() {
    let a = run("a", "").guard("f0", Abort::Own);
    check(
        node(Kind::Retry(2), [a]),
        &[
            (&[Op::Flag("f0", true)], Running, "?f0 +a"),
            (&[Op::Flag("f0", false)], Failure, "?f0 a:A ?f0"),
        ],
    );
}

#[test]
fn guard_that_aborts_a_child_of_a_repeat_fails_it() {
    check(
        node(Kind::Repeat(3), [run("a", "SR").guard("k0", Abort::Own)]),
        &[(ON, Running, "+a a:S +a"), (OFF, Failure, "a:A")],
    );
}

#[test]
fn guard_around_a_timeout_counts_as_its_childs_failure_only_when_inside() {
    let inside = timeout(8, pend("a").guard("k0", Abort::Own));
    let outside = timeout(8, pend("a")).guard("k0", Abort::Own);
    for child in [inside, outside] {
        check(
            select([child, pend("z")]),
            &[
                (ON, Running, "+a"),
                (&[Op::Key("k0", false), Op::Poll(8)], Running, "a:A +z"),
            ],
        );
    }
}

#[test]
fn guard_of_the_agent_is_evaluated_in_the_turn_after_a_deadline() {
    // The deadline comes as a delivery; the guard above it has its turn afterwards.
    let inner = select([timeout(4, pend("a")), pend("b")]).guard("f0", Abort::Own);
    check(
        select([inner, pend("z")]),
        &[
            (&[Op::Flag("f0", true)], Running, "?f0 +a"),
            (
                &[Op::Flag("f0", false), Op::Poll(4)],
                Running,
                "a:A +b ?f0 b:A +z",
            ),
        ],
    );
}

#[test]
fn guard_of_a_running_branch_of_a_parallel_is_evaluated_when_its_turn_comes() {
    let guarded = |name: &str, flag| select([run(name, "").guard(flag, Abort::Own), pend("z")]);
    check(
        parallel(2, 2, [guarded("a", "f0"), guarded("b", "f1")]),
        &[
            (
                &[Op::Flag("f0", true), Op::Flag("f1", true)],
                Running,
                "?f0 +a ?f1 +b",
            ),
            (&[], Running, "?f0 ~a ?f1 ~b"),
        ],
    );
}

#[test]
fn reactive_sequence_evaluates_the_guard_of_an_earlier_child_at_each_run() {
    let a = now("a", "").guard("f0", Abort::None);
    check(
        reactive_sequence([a, run("b", "").guard("f1", Abort::Own)]),
        &[
            (
                &[Op::Flag("f0", true), Op::Flag("f1", true)],
                Running,
                "?f0 +a a:S ?f1 +b",
            ),
            (&[], Running, "?f0 +a a:S ?f1 ~b"),
            (&[Op::Flag("f1", false)], Failure, "?f0 +a a:S ?f1 b:A"),
        ],
    );
}

#[test]
fn takeover_inside_a_rerun_parallel_is_taken_in_its_turn() {
    let inner = select([run("x", "").guard("f0", Abort::Lower), run("b", "")]);
    check(
        rerun(2, 2, [now("a", ""), inner]),
        &[
            (&[], Running, "+a a:S ?f0 +b"),
            (&[], Running, "+a a:S ?f0 ~b"),
            (&[Op::Flag("f0", true)], Running, "+a a:S ?f0 b:A +x"),
            (&[], Running, "+a a:S ~x"),
        ],
    );
}

#[test]
fn takeover_by_an_earlier_write_of_the_host_leaves_the_event_untaken() {
    let b = sequence([wait("go"), now("b", "")]);
    let main = select([run("x", "RF").guard("k0", Abort::Lower), b]);
    check(
        main,
        &[
            (&[], Running, ""),
            (&[Op::Key("k0", true), Op::Fire("go")], Running, "+x"),
            (&[], Running, "~x x:F"),
            (&[Op::Fire("go")], Success, "+b b:S"),
        ],
    );
}

#[test]
fn key_guard_of_the_node_that_waits_reacts_to_an_action_in_another_branch_at_once() {
    let put = now("put", "").act(Act::Set("k0", false));
    let left = select([pend("a").guard("k0", Abort::Own), now("y", "")]);
    check(
        parallel(
            3,
            1,
            [left, sequence([wait("go"), put, now("c", "")]), pend("d")],
        ),
        &[
            (ON, Running, "+a +d"),
            (&[Op::Fire("go")], Running, "+put put:S a:A +y y:S +c c:S"),
        ],
    );
}

#[test]
fn reaction_that_ends_the_parallel_of_the_writer_enters_nothing_more_there() {
    // The failure of the left branch decides, before the writer's sequence goes on.
    let put = now("put", "").act(Act::Set("k0", false));
    check(
        parallel(
            2,
            1,
            [
                pend("a").guard("k0", Abort::Own),
                sequence([wait("go"), put, now("c", "")]),
            ],
        ),
        &[
            (ON, Running, "+a"),
            (&[Op::Fire("go")], Failure, "+put put:S a:A"),
        ],
    );
}

#[test]
fn guard_of_a_finished_branch_is_followed_no_more() {
    let a = run("a", "RS").guard("k0", Abort::Both);
    check(
        sequence([select([a, pend("b")]), pend("c")]),
        &[
            (ON, Running, "+a"),
            (&[], Running, "~a a:S +c"),
            (OFF, Running, ""),
            (ON, Running, ""),
        ],
    );
}

#[test]
fn self_guard_of_the_child_that_just_took_over_is_evaluated_once_in_that_turn() {
    let a = run("a", "")
        .guard("f0", Abort::Both)
        .guard("f1", Abort::Own);
    check(
        select([a, run("b", "")]),
        &[
            (&[Op::Flag("f1", true)], Running, "?f0 +b"),
            (&[Op::Flag("f0", true)], Running, "?f0 ?f1 b:A +a"),
            (&[], Running, "?f0 ?f1 ~a"),
            (&[Op::Flag("f1", false)], Running, "?f0 ?f1 a:A +b"),
        ],
    );
}

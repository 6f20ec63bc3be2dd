//! Chapter "Composites", without the parallels: places, reactive nodes, conditions and weights.

use bt_core::Status::{Failure, Running, Success};
use bt_tests::cases::{Abort, Act, Kind, Node, Op};

use crate::text::harness::{
    Attach, check, check_looping, check_trees, holds, node, now, parallel, pend, reactive_select,
    reactive_sequence, run, select, sequence, wait,
};

/// A node that takes over when `k0` turns true, and fails in its second call.
fn takes_over() -> Node {
    run("x", "RF").guard("k0", Abort::Lower)
}

const TAKEOVER: &[Op] = &[Op::Key("k0", true)];

#[test]
fn sequence_that_keeps_its_place_continues_after_an_abort_at_the_child_that_ran() {
    let kept = sequence([now("a", ""), run("b", ""), now("c", "")]).keep_place();
    check(
        select([takes_over(), kept]),
        &[
            (&[], Running, "+a a:S +b"),
            (TAKEOVER, Running, "b:A +x"),
            (&[], Running, "~x x:F +b"),
        ],
    );
}

#[test]
fn select_that_keeps_its_place_continues_after_an_abort_at_the_child_that_ran() {
    let kept = select([now("a", "F"), run("b", "RF"), now("c", "")]).keep_place();
    check(
        select([takes_over(), kept]),
        &[
            (&[], Running, "+a a:F +b"),
            (TAKEOVER, Running, "b:A +x"),
            (&[], Success, "~x x:F +b b:F +c c:S"),
        ],
    );
}

#[test]
fn sequence_that_keeps_its_place_begins_anew_after_its_own_failure() {
    let kept = sequence([now("a", ""), now("b", "FS")]).keep_place();
    check(
        node(Kind::UntilSuccess(3), [kept]),
        &[(&[], Success, "+a a:S +b b:F +a a:S +b b:S")],
    );
}

#[test]
fn sequence_that_keeps_its_place_begins_anew_after_its_own_success() {
    let kept = sequence([now("a", ""), run("b", "RSR")]).keep_place();
    check(
        sequence([node(Kind::Repeat(2), [kept]), pend("z")]),
        &[
            (&[], Running, "+a a:S +b"),
            (&[], Running, "~b b:S +a a:S +b"),
        ],
    );
}

#[test]
fn place_outlives_a_stop() {
    let kept = sequence([now("a", ""), run("b", "")]).keep_place();
    check(
        kept,
        &[
            (&[], Running, "+a a:S +b"),
            (&[Op::Stop, Op::Start], Running, "+b"),
        ],
    );
}

#[test]
fn place_outlives_a_load_of_another_tree() {
    let kept = sequence([now("a", ""), run("b", "")]).keep_place();
    check_trees(
        false,
        vec![kept, pend("x")],
        &[
            (&[], Running, "+a a:S +b"),
            (&[Op::Load(1)], Running, "b:A +x"),
            (&[Op::Load(0)], Running, "x:A +b"),
        ],
    );
}

#[test]
fn places_of_nested_sequences_are_both_kept() {
    let inner = sequence([now("b", ""), run("c", "")]).keep_place();
    let outer = sequence([now("a", ""), inner]).keep_place();
    check(
        select([takes_over(), outer]),
        &[
            (&[], Running, "+a a:S +b b:S +c"),
            (TAKEOVER, Running, "c:A +x"),
            (&[], Running, "~x x:F +c"),
        ],
    );
}

#[test]
fn inner_sequence_without_a_place_begins_anew_in_an_outer_one_with_it() {
    let inner = sequence([now("b", ""), run("c", "")]);
    let outer = sequence([now("a", ""), inner]).keep_place();
    check(
        select([takes_over(), outer]),
        &[
            (&[], Running, "+a a:S +b b:S +c"),
            (TAKEOVER, Running, "c:A +x"),
            (&[], Running, "~x x:F +b b:S +c"),
        ],
    );
}

#[test]
fn place_is_one_for_all_callers_of_a_tree() {
    let kept = sequence([now("a", ""), run("b", "")]).keep_place();
    let first = node(Kind::SubTree(1), []).guard_not("k0", Abort::Own);
    check_trees(
        false,
        vec![select([first, node(Kind::SubTree(1), [])]), kept],
        &[
            (&[], Running, "+a a:S +b"),
            (&[Op::Key("k0", true)], Running, "b:A +b"),
        ],
    );
}

#[test]
fn memory_sequence_that_succeeded_begins_anew() {
    check(
        node(
            Kind::Repeat(2),
            [node(
                Kind::MemorySequence { keep_place: false },
                [now("a", ""), now("b", "")],
            )],
        ),
        &[(&[], Success, "+a a:S +b b:S +a a:S +b b:S")],
    );
}

#[test]
fn memory_sequence_that_was_aborted_begins_anew() {
    let memory = node(
        Kind::MemorySequence { keep_place: false },
        [now("a", ""), run("b", "")],
    );
    check(
        select([takes_over(), memory]),
        &[
            (&[], Running, "+a a:S +b"),
            (TAKEOVER, Running, "b:A +x"),
            (&[], Running, "~x x:F +a a:S +b"),
        ],
    );
}

#[test]
fn memory_sequence_keeps_its_index_over_the_end_of_a_run() {
    check_looping(
        node(
            Kind::MemorySequence { keep_place: false },
            [now("a", ""), now("b", "FS")],
        ),
        &[
            (&[], Failure, "+a a:S +b b:F"),
            (&[], Success, "+b b:S"),
            (&[], Success, "+a a:S +b b:S"),
        ],
    );
}

#[test]
fn memory_sequence_keeps_its_index_over_an_abort_of_what_is_around_it() {
    // It has failed, and is not active, when the abort comes.
    let memory = node(
        Kind::MemorySequence { keep_place: false },
        [now("a", ""), now("b", "F")],
    );
    let body = sequence([node(Kind::AlwaysTrue, [memory]), run("c", "")]);
    check(
        select([takes_over(), body]),
        &[
            (&[], Running, "+a a:S +b b:F +c"),
            (TAKEOVER, Running, "c:A +x"),
            (&[], Running, "~x x:F +b b:S +c"),
        ],
    );
}

#[test]
fn memory_select_asks_nothing_of_the_children_it_skips_on_entry() {
    let a = run("a", "").guard("f0", Abort::Lower);
    check_looping(
        node(
            Kind::MemorySelect { keep_place: false },
            [a, now("b", "S"), now("c", "")],
        ),
        &[
            (&[], Success, "?f0 +b b:S"),
            (&[Op::Flag("f0", true)], Success, "+b b:S"),
        ],
    );
}

#[test]
fn reactive_sequence_fails_when_an_earlier_condition_does() {
    check(
        reactive_sequence([holds("f0"), run("b", "")]),
        &[
            (&[Op::Flag("f0", true)], Running, "?f0 +b"),
            (&[], Running, "?f0 ~b"),
            (&[Op::Flag("f0", false)], Failure, "?f0 b:A"),
        ],
    );
}

#[test]
fn reactive_select_lets_the_running_child_be_until_an_earlier_one_stays_running() {
    let first = sequence([holds("f0"), now("x", ""), pend("y")]);
    check(
        reactive_select([first, run("b", "")]),
        &[
            (&[], Running, "?f0 +b"),
            (&[], Running, "?f0 ~b"),
            (&[Op::Flag("f0", true)], Running, "?f0 +x x:S +y b:A"),
            (&[], Running, ""),
        ],
    );
}

#[test]
fn reactive_sequence_that_a_delivery_moved_on_evaluates_in_the_turn() {
    check(
        reactive_sequence([holds("f0"), wait("go"), pend("z")]),
        &[
            (&[Op::Flag("f0", true)], Running, "?f0"),
            // The wait is entered again, stays running, and so takes over.
            (&[Op::Fire("go")], Running, "+z ?f0 z:A"),
        ],
    );
}

#[test]
fn reactive_select_runs_earlier_children_that_wait() {
    check(
        reactive_select([run("a", "FRS"), run("b", "")]),
        &[
            (&[], Running, "+a a:F +b"),
            (&[], Running, "+a b:A"),
            (&[], Success, "~a a:S"),
        ],
    );
}

#[test]
fn reactive_sequence_runs_earlier_children_that_wait_and_comes_back() {
    check(
        reactive_sequence([run("a", "SRSS"), run("b", ""), now("c", "")]),
        &[
            (&[], Running, "+a a:S +b"),
            (&[], Running, "+a b:A"),
            (&[], Running, "~a a:S +b"),
            (&[], Running, "+a a:S ~b"),
        ],
    );
}

#[test]
fn reactive_sequence_whose_child_ended_runs_that_again_in_the_next_turn() {
    check(
        reactive_sequence([holds("f0"), run("b", "RS"), run("c", "")]),
        &[
            (&[Op::Flag("f0", true)], Running, "?f0 +b"),
            (&[], Running, "?f0 ~b b:S +c"),
            (&[], Running, "?f0 +b c:A"),
        ],
    );
}

#[test]
fn reactive_select_decides_by_an_earlier_child_and_aborts_the_running_one() {
    check(
        sequence([
            reactive_select([now("a", "FS"), parallel(2, 1, [run("b", ""), run("c", "")])]),
            now("d", ""),
        ]),
        &[
            (&[], Running, "+a a:F +b +c"),
            (&[], Success, "+a a:S c:A b:A +d d:S"),
        ],
    );
}

#[test]
fn reactive_nodes_nest_and_the_outer_goes_first() {
    let inner = reactive_select([holds("f1"), run("b", "")]);
    check(
        reactive_sequence([holds("f0"), inner]),
        &[
            (&[Op::Flag("f0", true)], Running, "?f0 ?f1 +b"),
            (&[], Running, "?f0 ?f1 ~b"),
            (
                &[Op::Flag("f0", false), Op::Flag("f1", true)],
                Failure,
                "?f0 b:A",
            ),
        ],
    );
}

#[test]
fn reactive_select_does_not_call_a_leaf_of_the_running_child_that_is_aborted() {
    check(
        parallel(
            2,
            1,
            [
                run("p", ""),
                reactive_select([holds("f0"), sequence([run("b", "")])]),
            ],
        ),
        &[
            (&[], Running, "+p ?f0 +b"),
            (&[Op::Flag("f0", true)], Running, "~p ?f0 b:A"),
            (&[], Running, "~p"),
        ],
    );
}

#[test]
fn reactive_node_evaluates_once_a_poll_whatever_is_delivered() {
    check(
        reactive_select([
            holds("f0"),
            sequence([wait("go"), wait("go"), wait("go"), now("x", "")]),
        ]),
        &[
            (&[], Running, "?f0"),
            (&[Op::Fire("go"), Op::Fire("go")], Running, "?f0"),
            (&[Op::Fire("go")], Success, "+x x:S"),
        ],
    );
}

#[test]
fn reactive_sequence_runs_an_earlier_decorator_anew() {
    let earlier = node(Kind::Repeat(2), [now("a", "")]);
    check(
        reactive_sequence([earlier, run("b", "")]),
        &[
            (&[], Running, "+a a:S +a a:S +b"),
            (&[], Running, "+a a:S +a a:S ~b"),
        ],
    );
}

#[test]
fn reactive_sequence_fails_by_a_guard_of_an_earlier_child() {
    check(
        reactive_sequence([now("a", "").guard("k0", Abort::None), run("b", "")]),
        &[
            (&[Op::Key("k0", true)], Running, "+a a:S +b"),
            (&[Op::Key("k0", false)], Failure, "b:A"),
        ],
    );
}

#[test]
fn reactive_select_takes_an_exhausted_earlier_child_for_a_failure() {
    let earlier = node(
        Kind::RunLimit {
            count: 2,
            on: None,
            reset_if: None,
        },
        [now("a", "FF")],
    );
    check(
        reactive_select([earlier, run("b", "")]),
        &[
            (&[], Running, "+a a:F +b"),
            (&[], Running, "+a a:F ~b"),
            (&[], Running, "~b"),
        ],
    );
}

#[test]
fn always_seq_runs_all_children_and_succeeds() {
    check(
        node(
            Kind::AlwaysSeq,
            [now("a", "F"), run("b", "RF"), now("c", "F")],
        ),
        &[(&[], Running, "+a a:F +b"), (&[], Success, "~b b:F +c c:F")],
    );
}

#[test]
fn if_else_waits_for_its_condition_and_fails_without_an_else() {
    check(
        node(Kind::IfElse, [run("q", "RF"), now("b", "")]),
        &[(&[], Running, "+q"), (&[], Failure, "~q q:F")],
    );
}

#[test]
fn while_loop_runs_an_instant_body_once_a_poll_and_ignores_its_result() {
    check(
        node(Kind::WhileLoop, [holds("f0"), now("b", "FS")]),
        &[
            (&[Op::Flag("f0", true)], Running, "?f0 +b b:F"),
            (&[], Running, "?f0 +b b:S"),
            (&[Op::Flag("f0", false)], Success, "?f0"),
        ],
    );
}

#[test]
fn while_loop_evaluates_its_condition_again_in_the_poll_in_which_its_body_ends() {
    check(
        node(
            Kind::WhileLoop,
            [holds("f0"), sequence([wait("go"), now("b", "")])],
        ),
        &[
            (&[Op::Flag("f0", true)], Running, "?f0"),
            (&[Op::Flag("f0", false)], Running, ""),
            (
                &[Op::Flag("f0", true), Op::Fire("go")],
                Running,
                "+b b:S ?f0",
            ),
            (
                &[Op::Flag("f0", false), Op::Fire("go")],
                Success,
                "+b b:S ?f0",
            ),
        ],
    );
}

#[test]
fn while_loop_waits_for_a_condition_that_runs() {
    check(
        node(Kind::WhileLoop, [run("q", "RSRF"), now("b", "")]),
        &[
            (&[], Running, "+q"),
            (&[], Running, "~q q:S +b b:S"),
            (&[], Running, "+q"),
            (&[], Success, "~q q:F"),
        ],
    );
}

#[test]
fn and_is_cut_short_by_the_first_that_does_not_hold() {
    check_looping(
        node(Kind::And, [holds("f0"), holds("f1")]),
        &[
            (&[], Failure, "?f0"),
            (&[Op::Flag("f0", true)], Failure, "?f0 ?f1"),
            (&[Op::Flag("f1", true)], Success, "?f0 ?f1"),
        ],
    );
}

#[test]
fn or_is_cut_short_by_the_first_that_holds() {
    check_looping(
        node(Kind::Or, [holds("f0"), holds("f1")]),
        &[
            (&[], Failure, "?f0 ?f1"),
            (&[Op::Flag("f1", true)], Success, "?f0 ?f1"),
            (&[Op::Flag("f0", true)], Success, "?f0"),
        ],
    );
}

#[test]
fn probability_never_runs_a_child_of_weight_0_and_its_result_is_final() {
    check_looping(
        node(
            Kind::Probability(vec![0, 3, 0]),
            [now("a", ""), run("b", "RF"), now("c", "")],
        ),
        &[(&[], Running, "+b"), (&[], Running, "~b b:F +b")],
    );
}

#[test]
fn select_continues_after_a_takeover_that_failed_with_the_next_child_on_the_left() {
    let y = run("y", "").guard("k1", Abort::Lower);
    let x = now("x", "F").guard("k0", Abort::Lower);
    check(
        select([x, y, pend("b")]),
        &[
            (&[], Running, "+b"),
            (
                &[Op::Key("k0", true), Op::Key("k1", true)],
                Running,
                "b:A +x x:F +y",
            ),
        ],
    );
}

#[test]
fn select_enters_the_loser_of_a_takeover_anew() {
    let x = now("x", "F").guard("k0", Abort::Lower);
    check(
        select([x, pend("b")]),
        &[
            (&[], Running, "+b"),
            (TAKEOVER, Running, "b:A +x x:F +b"),
            (&[], Running, ""),
        ],
    );
}

#[test]
fn sequence_reacts_to_no_child_that_ended() {
    // The guard of an ended child is no guard any more.
    let a = now("a", "").guard("k0", Abort::Own);
    let put = now("put", "").act(Act::Set("k0", false));
    check(
        sequence([a, run("r", "RS"), put, pend("z")]),
        &[
            (&[Op::Key("k0", true)], Running, "+a a:S +r"),
            (&[], Running, "~r r:S +put put:S +z"),
        ],
    );
}

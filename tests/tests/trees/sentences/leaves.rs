//! Chapter "Leaves": waits, events, sub-trees, `end`, `reset`.

use bt_core::Status::{Failure, Running, Success};
use bt_tests::cases::{Abort, Act, Kind, Node, Op};

use crate::text::harness::{
    Attach, any_finish, check, check_looping, check_trees, holds, node, now, parallel, pend, run,
    select, sequence, timeout, wait,
};

fn waits(broadcast: bool, latch: bool) -> Node {
    let event = "go";
    node(
        Kind::WaitEvent {
            event,
            broadcast,
            latch,
        },
        [],
    )
}

fn calls(tree: usize) -> Node {
    node(Kind::SubTree(tree), [])
}

fn ends(success: bool, outside: bool) -> Node {
    node(Kind::End { success, outside }, [])
}

fn frames(polls: u64) -> Node {
    node(Kind::WaitFrames(polls), [])
}

#[test]
fn event_goes_to_the_waiter_that_was_entered_first() {
    check(
        parallel(
            2,
            1,
            [
                sequence([pend("a"), wait("go"), now("x", "")]),
                sequence([wait("go"), now("y", "")]),
            ],
        ),
        &[
            (&[], Running, "+a"),
            (&[Op::End(0, true)], Running, "a:S"),
            (&[Op::Fire("go")], Running, "+y y:S"),
            (&[Op::Fire("go")], Success, "+x x:S"),
        ],
    );
}

#[test]
fn two_events_of_one_poll_go_to_two_waiters() {
    check(
        parallel(
            2,
            1,
            [
                sequence([wait("go"), now("x", "")]),
                sequence([wait("go"), now("y", "")]),
            ],
        ),
        &[
            (&[], Running, ""),
            (&[Op::Fire("go"), Op::Fire("go")], Success, "+x x:S +y y:S"),
        ],
    );
}

#[test]
fn broadcast_waiter_leaves_the_event_to_the_next() {
    check(
        parallel(
            2,
            1,
            [
                sequence([waits(true, false), now("x", "")]),
                sequence([wait("go"), now("y", "")]),
            ],
        ),
        &[
            (&[], Running, ""),
            (&[Op::Fire("go")], Success, "+x x:S +y y:S"),
        ],
    );
}

#[test]
fn broadcast_does_not_reach_a_wait_that_its_delivery_led_to() {
    check(
        sequence([waits(true, false), waits(true, false), now("x", "")]),
        &[
            (&[], Running, ""),
            (&[Op::Fire("go")], Running, ""),
            (&[Op::Fire("go")], Success, "+x x:S"),
        ],
    );
}

#[test]
fn event_does_not_reach_a_wait_that_a_takeover_of_its_delivery_entered() {
    // `x` ends the first wait; the select's next child waits for the same event.
    let first = sequence([wait("go"), now("x", "F")]);
    check(
        select([first, sequence([wait("go"), now("y", "")])]),
        &[
            (&[], Running, ""),
            (&[Op::Fire("go")], Running, "+x x:F"),
            (&[Op::Fire("go")], Success, "+y y:S"),
        ],
    );
}

#[test]
fn latched_event_is_taken_on_entry_and_by_one_wait() {
    check(
        sequence([
            run("a", "RS"),
            waits(false, true),
            now("x", ""),
            waits(false, true),
            now("y", ""),
        ]),
        &[
            (&[Op::Fire("go")], Running, "+a"),
            (&[Op::Fire("go")], Running, "~a a:S +x x:S"),
            (&[Op::Fire("go")], Success, "+y y:S"),
        ],
    );
}

#[test]
fn latch_keeps_no_event_that_a_waiter_took() {
    check(
        parallel(
            2,
            1,
            [
                sequence([wait("go"), now("x", "")]),
                sequence([run("a", "RRS"), waits(false, true), now("y", "")]),
            ],
        ),
        &[
            (&[], Running, "+a"),
            (&[Op::Fire("go")], Running, "+x x:S ~a"),
            (&[], Running, "~a a:S"),
        ],
    );
}

#[test]
fn waits_of_nothing_succeed_at_once() {
    check(
        parallel(
            2,
            1,
            [
                sequence([node(Kind::Wait(0), []), now("x", "")]),
                sequence([frames(0), now("y", "")]),
            ],
        ),
        &[(&[], Success, "+x x:S +y y:S")],
    );
}

#[test]
fn wait_of_nothing_is_never_running_for_any_finish() {
    check(
        any_finish([node(Kind::Negative, [frames(0)]), run("a", "")]),
        &[(&[], Failure, "+a a:A")],
    );
}

#[test]
fn wait_frames_that_a_delivery_enters_counts_that_poll() {
    check(
        sequence([wait("go"), frames(2), now("x", "")]),
        &[
            (&[], Running, ""),
            (&[Op::Fire("go")], Running, ""),
            (&[], Success, "+x x:S"),
        ],
    );
}

#[test]
fn waits_of_frames_in_a_row_share_the_poll_between_them() {
    // The first ends in poll 2, in which the second is entered: it ends in poll 3.
    check(
        sequence([frames(2), frames(2), now("x", "")]),
        &[
            (&[], Running, ""),
            (&[], Running, ""),
            (&[], Success, "+x x:S"),
        ],
    );
}

#[test]
fn reset_leaf_aborts_all_and_restarts_in_the_next_poll() {
    let resets = node(
        Kind::Reset {
            keep_blackboard: false,
        },
        [],
    );
    check(
        parallel(2, 1, [run("a", ""), sequence([run("b", "RS"), resets])]),
        &[
            (&[], Running, "+a +b"),
            (&[], Running, "~a ~b b:S a:A"),
            (&[], Running, "+a +b"),
        ],
    );
}

#[test]
fn reset_leaf_clears_the_blackboard_unless_told_to_keep_it() {
    for (keep_blackboard, next) in [(true, "+x"), (false, "+y")] {
        let resets = node(Kind::Reset { keep_blackboard }, []);
        let first = sequence([holds("f0"), resets]);
        let then = select([run("x", "").guard("k0", Abort::None), run("y", "")]);
        check(
            select([first, then]),
            &[
                (&[Op::Key("k0", true), Op::Flag("f0", true)], Running, "?f0"),
                (&[Op::Flag("f0", false)], Running, &format!("?f0 {next}")),
            ],
        );
    }
}

#[test]
fn reset_leaf_in_a_called_tree_restarts_the_agents_tree() {
    let resets = node(
        Kind::Reset {
            keep_blackboard: true,
        },
        [],
    );
    check_trees(
        false,
        vec![
            sequence([now("a", ""), calls(1)]),
            sequence([run("b", "RS"), resets]),
        ],
        &[
            (&[], Running, "+a a:S +b"),
            (&[], Running, "~b b:S"),
            (&[], Running, "+a a:S +b"),
        ],
    );
}

#[test]
fn called_trees_result_is_its_callers() {
    check_trees(
        false,
        vec![select([calls(1), now("z", "")]), run("b", "RF")],
        &[(&[], Running, "+b"), (&[], Success, "~b b:F +z z:S")],
    );
}

#[test]
fn callers_deadline_aborts_the_called_tree() {
    check_trees(
        false,
        vec![
            select([timeout(4, calls(1)), pend("z")]),
            parallel(2, 1, [pend("a"), pend("b")]),
        ],
        &[
            (&[], Running, "+a +b"),
            (&[Op::Poll(4)], Running, "b:A a:A +z"),
        ],
    );
}

#[test]
fn counters_of_a_called_tree_are_one_for_all_callers() {
    check_trees(
        false,
        vec![
            sequence([calls(1), calls(1), now("z", "")]),
            node(Kind::Once, [now("a", "SF")]),
        ],
        &[(&[], Success, "+a a:S +z z:S")],
    );
}

#[test]
fn transfer_in_a_called_tree_aborts_the_whole_current_tree() {
    check_trees(
        true,
        vec![
            parallel(2, 1, [pend("a"), sequence([calls(1), now("b", "")])]),
            sequence([run("c", "RS"), node(Kind::Transfer(2), [])]),
            run("x", "RS"),
        ],
        &[
            (&[], Running, "+a +c"),
            (&[], Running, "~c c:S a:A +x"),
            // It stays the current tree.
            (&[], Running, "~x x:S +x"),
        ],
    );
}

#[test]
fn transfer_to_its_own_tree_begins_it_anew() {
    check_trees(
        false,
        vec![sequence([run("a", "RSR"), node(Kind::Transfer(0), [])])],
        &[(&[], Running, "+a"), (&[], Running, "~a a:S +a")],
    );
}

#[test]
fn end_aborts_its_siblings_at_once_and_enters_no_more() {
    check(
        parallel(3, 1, [run("a", ""), ends(true, false), run("b", "")]),
        &[(&[], Success, "+a a:A")],
    );
}

#[test]
fn end_in_a_called_tree_ends_that_only() {
    check_trees(
        false,
        vec![
            parallel(2, 2, [run("p", ""), calls(1), run("r", "")]),
            parallel(2, 1, [run("q", ""), ends(false, false)]),
        ],
        &[(&[], Running, "+p +q q:A +r"), (&[], Running, "~p ~r")],
    );
}

#[test]
fn end_outside_in_a_called_tree_aborts_the_callers_too() {
    check_trees(
        true,
        vec![
            parallel(2, 2, [run("p", ""), calls(1), run("r", "")]),
            sequence([run("q", "RS"), ends(false, true)]),
        ],
        &[
            (&[], Running, "+p +q +r"),
            // A run that had blocked is followed at once.
            (&[], Running, "~p ~q q:S r:A p:A +p +q +r"),
        ],
    );
}

#[test]
fn end_is_no_result_of_the_decorators_around_it() {
    check(
        node(
            Kind::Negative,
            [sequence([now("a", ""), ends(true, false)])],
        ),
        &[(&[], Success, "+a a:S")],
    );
}

#[test]
fn load_from_a_leaf_acts_before_anything_else_is_entered() {
    check_trees(
        false,
        vec![
            parallel(
                3,
                1,
                [run("a", ""), now("go", "").act(Act::Load(1)), run("b", "")],
            ),
            pend("x"),
        ],
        &[(&[], Running, "+a +go go:S a:A +x")],
    );
}

#[test]
fn load_of_the_host_outranks_a_due_timer_and_a_due_event() {
    check_trees(
        false,
        vec![
            parallel(
                1,
                2,
                [
                    sequence([wait("go"), now("a", "")]),
                    sequence([node(Kind::Wait(1), []), now("b", "")]),
                ],
            ),
            sequence([wait("go"), now("x", "")]),
        ],
        &[
            (&[], Running, ""),
            (
                &[Op::Fire("go"), Op::Load(1), Op::Poll(4)],
                Success,
                "+x x:S",
            ),
        ],
    );
}

#[test]
fn event_of_a_looping_tree_is_dropped_between_its_waits() {
    check_looping(
        sequence([wait("go"), run("a", "RSRS")]),
        &[
            (&[], Running, ""),
            (&[Op::Fire("go")], Running, "+a"),
            (&[Op::Fire("go")], Running, "~a a:S"),
            (&[], Running, ""),
            (&[Op::Fire("go")], Running, "+a"),
        ],
    );
}

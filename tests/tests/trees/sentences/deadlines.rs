//! Tests of deadlines, below a timeout and above it, where the text leaves something to be inferred.

use bt_core::Status::{Failure, Running, Success};
use bt_core::tree::asset::spec::{self, call, sub_tree, wait_event};
use bt_tests::cases::{Abort, Kind, Op};
use bt_tests::probe::{self, Play, guard_key, slow, starts};
use serde_json::json;

use crate::text::harness::{
    Attach, check, holds, node, now, parallel, pend, reactive_select, reactive_sequence, run,
    select, sequence, timeout, wait,
};

const F0_AT_4: &[Op] = &[Op::Flag("f0", true), Op::Poll(4)];

#[test]
fn reactive_node_above_a_deadline_evaluates_nothing_before_it() {
    check(
        reactive_select([holds("f0"), timeout(4, run("p", ""))]),
        &[(&[], Running, "?f0 +p"), (F0_AT_4, Failure, "~p p:A")],
    );
}

#[test]
fn lower_guard_above_a_deadline_is_not_evaluated_before_it() {
    let x = run("x", "").guard("f0", Abort::Lower);
    check(
        select([x, timeout(4, run("p", ""))]),
        &[(&[], Running, "?f0 +p"), (F0_AT_4, Failure, "~p p:A")],
    );
}

#[test]
fn lower_guard_below_a_deadline_is_evaluated_before_the_polled_child() {
    let x = run("x", "").guard("f0", Abort::Lower);
    check(
        timeout(4, select([x, run("p", "")])),
        &[
            (&[], Running, "?f0 +p"),
            (F0_AT_4, Failure, "?f0 p:A +x x:A"),
        ],
    );
    let x = now("x", "").guard("f0", Abort::Lower);
    check(
        timeout(4, select([x, run("p", "")])),
        &[
            (&[], Running, "?f0 +p"),
            (F0_AT_4, Success, "?f0 p:A +x x:S"),
        ],
    );
}

#[test]
fn frames_and_loops_below_a_deadline_take_no_turn() {
    check(
        timeout(4, node(Kind::Frames(2), [run("a", "")])),
        &[(&[], Running, "+a"), (&[Op::Poll(4)], Failure, "~a a:A")],
    );
    check(
        timeout(4, node(Kind::Loop(2), [now("a", "")])),
        &[(&[], Running, "+a a:S"), (&[Op::Poll(4)], Failure, "")],
    );
}

#[test]
fn reactive_node_below_a_deadline_takes_no_turn() {
    check(
        timeout(4, reactive_select([holds("f0"), run("p", "")])),
        &[(&[], Running, "?f0 +p"), (F0_AT_4, Failure, "~p p:A")],
    );
}

#[test]
fn key_of_the_host_reacts_before_the_deadline_of_the_same_poll() {
    let x = run("x", "").guard("k0", Abort::Lower);
    check(
        select([x, timeout(4, run("p", ""))]),
        &[
            (&[], Running, "+p"),
            (&[Op::Key("k0", true), Op::Poll(4)], Running, "p:A +x"),
        ],
    );
}

#[test]
fn event_of_the_same_poll_saves_what_a_deadline_would_abort() {
    let body = sequence([wait("go"), now("x", "")]);
    check(
        sequence([timeout(4, body), now("y", "")]),
        &[
            (&[], Running, ""),
            (&[Op::Fire("go"), Op::Poll(4)], Success, "+x x:S +y y:S"),
        ],
    );
}

#[test]
fn sequence_below_a_deadline_runs_on_until_it_blocks() {
    check(
        timeout(4, sequence([run("a", "RS"), now("b", ""), run("c", "")])),
        &[
            (&[], Running, "+a"),
            (&[Op::Poll(4)], Failure, "~a a:S +b b:S +c c:A"),
        ],
    );
}

#[test]
fn two_deadlines_side_by_side_call_each_its_own_children() {
    let limited = |name: &str| node(Kind::AlwaysTrue, [timeout(4, run(name, ""))]);
    check(
        parallel(2, 1, [limited("a"), limited("b")]),
        &[
            (&[], Running, "+a +b"),
            (&[Op::Poll(4)], Success, "~a a:A ~b b:A"),
        ],
    );
}

#[test]
fn deadline_that_ends_a_reactive_sequences_child_is_followed_by_its_turn() {
    let limited = node(Kind::AlwaysTrue, [timeout(4, pend("a"))]);
    check(
        reactive_sequence([holds("f0"), limited, run("c", "")]),
        &[
            (&[Op::Flag("f0", true)], Running, "?f0 +a"),
            // The limited child is entered again in the turn, and waits: it takes over.
            (&[Op::Poll(4)], Running, "a:A +c ?f0 +a c:A"),
        ],
    );
}

#[test]
fn while_loop_whose_body_had_blocked_iterates_at_once_and_then_in_the_next_poll() {
    let body = sequence([wait("go"), now("b", "")]);
    check(
        node(Kind::WhileLoop, [holds("f0"), body]),
        &[
            (&[Op::Flag("f0", true)], Running, "?f0"),
            (
                &[Op::Fire("go"), Op::Fire("go")],
                Running,
                "+b b:S ?f0 +b b:S",
            ),
            (&[], Running, "?f0"),
        ],
    );
}

#[test]
fn argument_from_a_key_that_is_missing_fails_the_call_with_a_diagnostic() {
    let keys = json!({"name": {"type": "string", "initial": "none", "scope": "tree"}});
    let other = spec::node("root")
        .extra("blackboard", keys)
        .child(starts("o"));
    let args = json!({"name": {"arg_type": "blackboard", "arg_value": "nothing"}});
    let main = spec::select([sub_tree("other").extra("args", args), starts("z")]);
    let mut play = Play::trees([("main", main), ("other", other)]);
    play.poll(0.0);
    assert_eq!(play.brief(), "+z");
    assert_eq!(play.diagnostics().len(), 1);
}

#[test]
fn broadcast_below_a_closed_node_reaches_that_when_it_opens() {
    let waits = || wait_event("go").extra("broadcast", true);
    let closed = [
        slow("a").guard(guard_key("k").set("abort", "self")),
        spec::sequence([waits(), probe::now("c")]),
    ];
    let open = spec::sequence([waits(), probe::now("d"), starts("e")]);
    let mut play = Play::new(spec::parallel(2, 2, [spec::parallel(2, 2, closed), open]));
    play.set("k", true).poll(0.0);
    play.set("k", false).again();
    play.fire("go").again();
    play.end("a", true);
    play.again();
    let log = play.brief();
    for part in ["+c", "+d"] {
        assert_eq!(log.matches(part).count(), 1, "{log}");
    }
}

#[test]
fn service_that_was_late_counts_its_next_interval() {
    let main = starts("a").service(1.0, call("note").arg("s"));
    let mut play = Play::new(main);
    play.poll(0.0);
    play.poll(5.5);
    assert_eq!(play.brief(), "s +a s");
    let wake = play.wake();
    assert!(wake == Some(6.0) || wake == Some(6.5), "{wake:?}");
}

#[test]
fn place_that_a_lower_guard_stands_before_is_taken_up_again() {
    let kept = select([
        run("x", "").guard("k1", Abort::Lower),
        now("a", "F"),
        run("b", ""),
    ]);
    let outer = run("o", "RF").guard("k0", Abort::Lower);
    check(
        select([outer, kept.keep_place()]),
        &[
            (&[], Running, "+a a:F +b"),
            (&[Op::Key("k0", true)], Running, "b:A +o"),
            (&[], Running, "~o o:F +b"),
            (&[Op::Key("k1", true)], Running, "b:A +x"),
        ],
    );
}

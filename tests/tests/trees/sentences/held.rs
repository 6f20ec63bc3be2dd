//! Tests of held arrivals: by a node that is closed while a child cancels, and by a tree that is suspended.

use bt_core::Event;
use bt_core::tree::asset::spec::{
    Call, NodeSpec, call, node, parallel, reactive_select, reactive_sequence, select, sequence,
    sub_tree, wait_event,
};
use bt_tests::probe::{
    F, Play, R, Reply, S, guard_holds, guard_key, holds, now, of, polled, slow, starts, timed,
    times, wait,
};
use serde_json::json;

fn own(key: &str) -> Call {
    guard_key(key).set("abort", "self")
}

fn lower(key: &str) -> Call {
    guard_key(key).set("abort", "lower")
}

fn both(key: &str) -> Call {
    guard_key(key).set("abort", "both")
}

fn takes(top: NodeSpec, event: &str, tree: &str, mode: &str) -> NodeSpec {
    let taken = json!([{"event": event, "tree": tree, "mode": mode}]);
    top.extra("events", taken)
}

fn returns(top: NodeSpec, event: &str, tree: &str) -> NodeSpec {
    takes(top, event, tree, "return")
}

fn with_other(main: NodeSpec, other: NodeSpec) -> Play {
    Play::trees([("main", main), ("other", other)])
}

#[test]
fn both_guard_that_holds_again_takes_over_when_its_slow_child_is_gone() {
    let a = slow("a").guard(both("k"));
    let mut play = Play::new(select([a, starts("b")]));
    play.set("k", true).poll(0.0);
    play.set("k", false).again();
    play.set("k", true).again();
    assert_eq!(play.brief(), "+a a:A");
    play.end("a", true);
    play.again();
    assert_eq!(play.brief(), "a:gone +b b:A +a");
}

#[test]
fn failure_of_a_slow_child_decides_before_what_was_held_is_delivered() {
    let main = parallel(2, 1, [starts("b"), slow("a").guard(own("k"))]);
    let mut play = Play::new(main);
    play.set("k", true).poll(0.0);
    play.set("k", false).again();
    play.end("b", true);
    play.again();
    assert_eq!(play.brief(), "+b +a a:A");
    play.end("a", true);
    assert_eq!(play.again(), F);
    assert_eq!(play.brief(), "a:gone b:A");
}

#[test]
fn retry_of_a_slow_child_checks_its_guard_on_the_next_attempt() {
    for holds in [false, true] {
        let mut play = Play::new(times("retry", 2, slow("a").guard(own("k"))));
        play.set("k", true).poll(0.0);
        play.set("k", false).again();
        play.set("k", holds).again();
        play.end("a", true);
        let expected = if holds { R } else { F };
        assert_eq!(play.again(), expected);
        let next = if holds {
            "+a a:A a:gone +a"
        } else {
            "+a a:A a:gone"
        };
        assert_eq!(play.brief(), next);
    }
}

#[test]
fn outer_deadline_that_passes_while_an_inner_one_cancels_enters_nothing() {
    let inner = select([timed("timeout", 1.0, slow("a")), starts("z")]);
    let mut play = Play::new(timed("timeout", 2.0, inner));
    play.poll(0.0);
    play.poll(1.0);
    assert_eq!(play.poll(2.0), R);
    play.end("a", true);
    assert_eq!(play.poll(3.0), F);
    assert_eq!(play.brief(), "+a a:A a:gone");
}

#[test]
fn cooldown_of_a_child_that_its_guard_aborts_starts_when_it_is_gone() {
    let cooled = timed("cooldown", 2.0, slow("a").guard(own("k")));
    let mut play = Play::new(select([cooled, now("z")])).looping();
    play.set("k", true).poll(0.0);
    play.set("k", false).poll(1.0);
    play.end("a", true);
    play.set("k", true).poll(4.0);
    assert_eq!(play.brief(), "+a a:A a:gone +z z:S +z z:S");
    play.poll(5.5);
    assert_eq!(play.brief(), "+z z:S");
    play.poll(6.0);
    assert_eq!(play.brief(), "+a");
}

#[test]
fn reactive_sequence_calls_who_took_over_again_in_the_turn_after_the_loser_is_gone() {
    let mut play = Play::new(reactive_sequence([polled("p"), slow("a")]));
    play.reply("p", [S, R, R, S]);
    play.poll(0.0);
    play.again();
    play.again();
    assert_eq!(play.brief(), "+p p:S +a +p a:A");
    play.end("a", true);
    play.again();
    assert_eq!(play.brief(), "a:gone ~p");
    play.again();
    assert_eq!(play.brief(), "~p p:S +a");
}

#[test]
fn slow_child_of_a_rerun_parallel_is_not_entered_again_before_it_is_gone() {
    let main = parallel(2, 2, [slow("a"), polled("p"), polled("q")]).extra("rerun", true);
    let mut play = Play::new(times("repeat", 2, main));
    play.reply("p", [R, S]);
    play.reply("q", [R, S]);
    play.poll(0.0);
    play.again();
    play.again();
    assert_eq!(play.brief(), "+a +p +q ~p p:S ~q q:S a:A");
    play.end("a", true);
    play.again();
    assert_eq!(play.brief(), "a:gone +a +p +q");
}

#[test]
fn pause_holds_the_end_of_a_cancelling() {
    let mut play = Play::new(select([timed("timeout", 1.0, slow("a")), starts("z")]));
    play.poll(0.0);
    play.poll(1.0);
    play.runner.pause();
    play.end("a", true);
    play.poll(2.0);
    assert_eq!(play.brief(), "+a a:A");
    play.runner.resume();
    play.poll(2.0);
    assert_eq!(play.brief(), "a:gone +z");
}

#[test]
fn end_of_a_cancelling_is_held_while_its_tree_is_suspended() {
    let inner = select([timed("timeout", 1.0, slow("a")), starts("z")]);
    let main = returns(parallel(2, 2, [inner, starts("b")]), "go", "other");
    let mut play = with_other(main, starts("o"));
    play.poll(0.0);
    play.poll(1.0);
    play.fire("go").again();
    play.end("a", true);
    play.again();
    assert_eq!(play.brief(), "+a +b a:A +o");
    play.end("o", true);
    play.again();
    assert_eq!(play.brief(), "o:S a:gone +z");
}

#[test]
fn node_below_a_closed_one_takes_its_event_when_that_opens_and_is_still_there() {
    // The closed select fails its slow child and continues with the next: the taker is the parallel's.
    let closed = parallel(
        2,
        1,
        [
            returns(starts("b"), "go", "other"),
            slow("a").guard(own("k")),
        ],
    );
    let mut play = with_other(select([closed, starts("z")]), starts("o"));
    play.set("k", true).poll(0.0);
    play.set("k", false).again();
    play.fire("go").again();
    play.end("a", true);
    play.again();
    // Its parent fails at once: nobody takes the event.
    assert_eq!(play.brief(), "+b +a a:A a:gone b:A +z");
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "");
}

#[test]
fn transfer_leaf_in_an_events_tree_waits_for_a_slow_sibling_and_keeps_the_suspended_tree() {
    let moves = sequence([starts("s"), sub_tree("third").extra("mode", "transfer")]);
    let mut play = Play::trees([
        ("main", returns(polled("p"), "go", "other")),
        ("other", parallel(2, 1, [slow("b"), moves])),
        ("third", starts("t")),
    ]);
    play.poll(0.0);
    play.fire("go").again();
    play.end("s", true);
    play.again();
    assert_eq!(play.brief(), "+p +b +s s:S b:A");
    play.end("b", true);
    play.again();
    assert_eq!(play.brief(), "b:gone +t");
    play.end("t", false);
    play.again();
    assert_eq!(play.brief(), "t:F ~p");
}

#[test]
fn deadline_and_event_of_one_poll_when_the_events_tree_ends_at_once() {
    let main = returns(timed("timeout", 1.0, starts("a")), "go", "other");
    let mut play = with_other(main, now("o"));
    play.poll(0.0);
    assert_eq!(play.fire("go").poll(1.0), F);
    assert_eq!(play.brief(), "+a +o o:S a:A");
}

#[test]
fn event_behind_one_whose_tree_ends_at_once_reaches_the_tree_that_is_back() {
    let body = sequence([wait_event("told"), now("x"), starts("y")]);
    let mut play = with_other(returns(body, "go", "other"), now("o"));
    play.poll(0.0);
    play.fire("go").fire("told").again();
    assert_eq!(play.brief(), "+o o:S +x x:S +y");
}

#[test]
fn stop_of_an_action_in_an_events_tree_stops_the_agent() {
    let mut play = with_other(
        returns(starts("a"), "go", "other"),
        sequence([now("s"), now("n")]),
    );
    play.on_call("s", |cx| cx.stop());
    play.poll(0.0);
    play.fire("go").again();
    assert_eq!(play.brief(), "+a +s s:S a:A");
    assert!(!play.runner.is_running());
}

#[test]
fn slow_leaf_of_a_suspended_tree_delays_a_load() {
    let mut play = Play::trees([
        (
            "main",
            returns(parallel(2, 2, [slow("a"), starts("c")]), "go", "other"),
        ),
        ("other", slow("b")),
        ("third", starts("t")),
    ]);
    play.poll(0.0);
    play.fire("go").again();
    play.runner.load("third").unwrap();
    play.again();
    let log = play.brief();
    assert!(log.starts_with("+a +c +b b:A"), "{log}");
    play.end("b", true);
    play.again();
    play.end("a", true);
    play.again();
    let log = log + " " + &play.brief();
    assert!(log.ends_with("+t"), "{log}");
    assert!(
        log.contains("b:gone") && log.contains("c:A") && log.contains("a:gone"),
        "{log}"
    );
}

#[test]
fn timeout_wins_a_tie_with_an_action_that_finishes_itself() {
    let mut play = Play::new(timed("timeout", 1.0, starts("a")));
    play.reply("a", [Reply::After(1.0, true)]);
    play.poll(0.0);
    assert_eq!(play.poll(1.0), F);
    assert_eq!(play.brief(), "+a a:A");
}

#[test]
fn action_that_waits_for_an_event_is_a_waiter_in_the_order_of_entry() {
    let main = parallel(2, 1, [sequence([wait(1.0), starts("a")]), wait_event("go")]);
    let mut play = Play::new(main);
    play.reply("a", [Reply::Event("go", true)]);
    play.poll(0.0);
    play.poll(1.0);
    play.fire("go").again();
    assert_eq!(play.brief(), "+a");
    assert_eq!(play.fire("go").again(), S);
    assert_eq!(play.brief(), "a:S");
}

#[test]
fn action_that_finishes_after_polls_counts_the_one_it_began_in() {
    let mut play = Play::new(sequence([starts("a"), now("b")]));
    play.reply("a", [Reply::Polls(2, true)]);
    assert_eq!(play.polls(), [R, S]);
    assert_eq!(play.brief(), "+a a:S +b b:S");
}

#[test]
fn end_outside_aborts_slow_callers_and_ends_when_they_are_gone() {
    let ends = node("end")
        .extra("status", "success")
        .extra("outside", true);
    let main = parallel(3, 1, [slow("a"), sub_tree("other"), slow("b")]);
    let mut play = with_other(main, sequence([starts("s"), ends]));
    play.poll(0.0);
    play.end("s", true);
    assert_eq!(play.again(), R);
    play.end("a", true);
    assert_eq!(play.again(), R);
    play.end("b", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+a +s +b s:S b:A a:A a:gone b:gone");
}

#[test]
fn reset_leaf_that_keeps_the_blackboard_keeps_it_over_a_slow_abort() {
    let resets = node("reset").extra("keep_blackboard", true);
    let main = parallel(2, 1, [slow("a"), sequence([starts("s"), resets])]);
    let mut play = Play::new(main);
    play.set("k", 1).poll(0.0);
    play.end("s", true);
    play.again();
    play.end("a", true);
    play.polls::<2>();
    assert_eq!(play.brief(), "+a +s s:S a:A a:gone +a +s");
    assert_eq!(play.runner.blackboard().get("k"), 1);
}

#[test]
fn guard_of_a_node_outside_aborts_a_closed_part_and_waits_for_its_slow_child() {
    let closed = parallel(2, 2, [slow("a").guard(own("k")), starts("b")]);
    let main = select([sequence([closed]).guard(own("h")), starts("z")]);
    let mut play = Play::new(main);
    play.set("k", true).set("h", true).poll(0.0);
    play.set("k", false).again();
    assert_eq!(play.brief(), "+a +b a:A");
    play.set("h", false).again();
    assert_eq!(play.brief(), "b:A");
    play.end("a", true);
    play.again();
    assert_eq!(play.brief(), "a:gone +z");
}

#[test]
fn takeover_of_a_closed_part_and_back_enters_the_loser_anew_with_its_guard() {
    let closed = sequence([slow("a").guard(own("k"))]);
    let main = select([starts("x").guard(lower("h")), closed, starts("z")]);
    let mut play = Play::new(main);
    play.set("k", true).poll(0.0);
    play.set("k", false).again();
    play.set("h", true).again();
    assert_eq!(play.brief(), "+a a:A");
    play.end("a", true);
    play.again();
    assert_eq!(play.brief(), "a:gone +x");
    play.end("x", false);
    play.again();
    assert_eq!(play.brief(), "x:F +z");
}

#[test]
fn reactive_select_above_a_closed_part_evaluates_and_may_take_over() {
    let closed = parallel(2, 2, [slow("a").guard(own("k")), polled("p")]);
    let mut play = Play::new(reactive_select([holds("f"), closed]));
    play.set("k", true).poll(0.0);
    play.set("k", false).again();
    play.again();
    assert_eq!(play.brief(), "?f +a +p ?f a:A ?f");
    play.flag("f", true);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "?f p:A");
    play.end("a", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "a:gone");
}

#[test]
fn poll_guard_above_a_closed_part_is_evaluated_every_poll() {
    let closed = parallel(2, 2, [slow("a").guard(own("k")), polled("p")]);
    let guard = guard_holds("f").set("mode", "poll");
    let mut play = Play::new(select([sequence([closed]).guard(guard), starts("z")]));
    play.set("k", true).flag("f", true).poll(0.0);
    play.set("k", false).again();
    assert_eq!(play.brief(), "?f +a +p a:A ?f");
    play.flag("f", false).again();
    assert_eq!(play.brief(), "?f p:A");
    play.end("a", true);
    play.again();
    assert_eq!(play.brief(), "a:gone +z");
}

#[test]
fn exit_effect_of_a_slow_child_that_writes_is_seen_by_the_takeover_that_waits() {
    // The takeover is checked again after the exit effects: these have made its guard false.
    let write = call("put").arg("put").arg("k").arg(false);
    let b = sequence([slow("b")]).effect("exit", write);
    let mut play = Play::new(select([starts("x").guard(lower("k")), b]));
    play.poll(0.0);
    play.set("k", true).again();
    assert_eq!(play.brief(), "+b b:A");
    play.end("b", true);
    play.again();
    assert_eq!(play.brief(), "b:gone put +b");
}

#[test]
fn exit_effect_that_makes_the_guard_of_a_takeover_false_in_the_same_poll() {
    // Each write evaluates the guard anew: the takeover is refused, and the next child is entered.
    let write = call("put").arg("put").arg("k").arg(false);
    let b = sequence([starts("b")]).effect("exit", write);
    let mut play = Play::new(select([starts("x").guard(lower("k")), b]));
    play.poll(0.0);
    play.set("k", true).again();
    assert_eq!(play.brief(), "+b b:A put +b");
}

#[test]
fn stop_of_the_host_during_a_load_that_waits_stops() {
    let mut play = with_other(slow("a"), starts("o"));
    play.poll(0.0);
    play.runner.load("other").unwrap();
    play.again();
    play.stop();
    play.end("a", true);
    play.polls::<2>();
    assert_eq!(play.brief(), "+a a:A a:gone");
    assert!(!play.runner.is_running());
}

#[test]
fn load_of_the_host_outranks_a_transfer_of_an_event_that_waits() {
    let mut play = Play::trees([
        ("main", takes(slow("a"), "go", "other", "transfer")),
        ("other", starts("o")),
        ("third", starts("t")),
    ]);
    play.poll(0.0);
    play.fire("go").again();
    assert_eq!(play.brief(), "+a a:A");
    play.runner.load("third").unwrap();
    play.end("a", true);
    play.again();
    assert_eq!(play.brief(), "a:gone +t");
}

#[test]
fn later_request_of_one_call_counts() {
    let mut play = with_other(sequence([now("r"), now("n")]), starts("o"));
    play.on_call("r", |cx| {
        cx.stop();
        cx.load("other");
    });
    play.poll(0.0);
    assert_eq!(play.brief(), "+r r:S +o");
    let mut play = with_other(sequence([now("r"), now("n")]), starts("o"));
    play.on_call("r", |cx| {
        cx.load("other");
        cx.stop();
    });
    play.poll(0.0);
    assert_eq!(play.brief(), "+r r:S");
    assert!(!play.runner.is_running());
}

#[test]
fn event_fired_with_a_load_in_one_call_reaches_the_new_tree() {
    let other = sequence([wait_event("go"), now("x")]);
    let mut play = with_other(now("r"), other);
    play.on_call("r", |cx| {
        cx.fire(Event::new("go"));
        cx.load("other");
    });
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.brief(), "+r r:S +x x:S");
}

#[test]
fn write_with_a_load_in_one_call_is_there_for_the_new_tree_and_no_guard_reacts() {
    let other = starts("o").guard(guard_key("k"));
    let main = select([starts("x").guard(lower("k")), now("r")]);
    let mut play = with_other(main, other);
    play.on_call("r", |cx| {
        cx.set("k", true);
        cx.load("other");
    });
    play.poll(0.0);
    assert_eq!(play.brief(), "+r r:S +o");
}

#[test]
fn reset_of_a_call_clears_what_the_call_wrote() {
    let mut play = Play::new(sequence([starts("a"), now("r")]));
    play.on_call("r", |cx| {
        cx.reset();
        cx.set("k", true);
    });
    play.poll(0.0);
    play.end("a", true);
    assert_eq!(play.again(), R);
    assert!(!play.runner.blackboard().has("k"));
    play.again();
    assert_eq!(play.brief(), "+a a:S +r r:S +a");
}

#[test]
fn wrapped_slow_child_of_a_closed_part_is_gone_before_its_parent_continues() {
    let inner = of("always_true", [sequence([slow("a"), now("n")])]);
    let main = sequence([inner.guard(own("k")), now("m")]);
    let mut play = Play::new(select([main, starts("z")]));
    play.set("k", true).poll(0.0);
    play.set("k", false).again();
    play.end("a", true);
    play.again();
    // The guard fails the decorator, whatever that makes of its child.
    assert_eq!(play.brief(), "+a a:A a:gone +z");
}

#[test]
fn once_in_mode_return_is_spent_though_the_events_tree_was_replaced() {
    let taken = json!([{"event": "go", "tree": "other", "mode": "return", "once": true}]);
    let main = starts("a").extra("events", taken);
    let mut play = with_other(main, takes(starts("o"), "told", "other", "transfer"));
    play.poll(0.0);
    play.fire("go").again();
    play.fire("told").again();
    play.end("o", true);
    play.again();
    assert_eq!(play.brief(), "+a +o o:A +o o:S");
    play.fire("go").again();
    assert_eq!(play.brief(), "");
}

#[test]
fn reactive_select_in_an_events_tree_has_its_turn_from_the_next_poll_on() {
    let other = reactive_select([holds("f"), starts("o")]);
    let mut play = with_other(returns(polled("p"), "go", "other"), other);
    play.poll(0.0);
    play.fire("go").again();
    assert_eq!(play.brief(), "+p ?f +o");
    play.flag("f", true).again();
    assert_eq!(play.brief(), "?f o:A ~p");
}

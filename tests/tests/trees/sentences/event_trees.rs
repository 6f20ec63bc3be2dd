//! Chapter "Events that switch trees".

use bt_core::Event;
use bt_core::tree::asset::spec::{
    NodeSpec, action, node, parallel, reactive_select, select, sequence, sub_tree, wait_event,
};
use bt_tests::probe::{
    F, Play, R, S, guard_holds, guard_key, holds, now, of, polled, slow, starts, timed, wait,
};
use serde_json::json;

fn takes(top: NodeSpec, event: &str, tree: &str, mode: &str) -> NodeSpec {
    let taken = json!([{"event": event, "tree": tree, "mode": mode}]);
    top.extra("events", taken)
}

fn returns(top: NodeSpec, event: &str, tree: &str) -> NodeSpec {
    takes(top, event, tree, "return")
}

fn once(top: NodeSpec, event: &str, tree: &str) -> NodeSpec {
    let taken = json!([{"event": event, "tree": tree, "mode": "return", "once": true}]);
    top.extra("events", taken)
}

fn with_other(main: NodeSpec, other: NodeSpec) -> Play {
    Play::trees([("main", main), ("other", other)])
}

#[test]
fn waiter_takes_an_event_before_a_node_does() {
    let main = returns(sequence([wait_event("go"), starts("x")]), "go", "other");
    let mut play = with_other(main, starts("o"));
    play.poll(0.0);
    play.fire("go").fire("go").again();
    assert_eq!(play.brief(), "+x +o");
}

#[test]
fn deepest_node_takes_an_event() {
    let inner = returns(sequence([starts("a")]), "go", "other");
    let outer = returns(sequence([sequence([inner])]), "go", "third");
    let mut play = Play::trees([
        ("main", outer),
        ("other", starts("o")),
        ("third", starts("t")),
    ]);
    play.poll(0.0);
    play.fire("go").again();
    assert_eq!(play.brief(), "+a +o");
}

#[test]
fn deepest_node_takes_an_event_though_another_has_a_lower_index() {
    let shallow = returns(starts("a"), "go", "third");
    let deep = sequence([returns(starts("b"), "go", "other")]);
    let mut play = Play::trees([
        ("main", parallel(2, 2, [shallow, deep])),
        ("other", starts("o")),
        ("third", starts("t")),
    ]);
    play.poll(0.0);
    play.fire("go").again();
    assert_eq!(play.brief(), "+a +b +o");
}

#[test]
fn lowest_index_takes_an_event_though_it_was_entered_later() {
    let first = sequence([polled("p"), returns(starts("a"), "go", "other")]);
    let second = sequence([returns(starts("b"), "go", "third")]);
    let mut play = Play::trees([
        ("main", parallel(2, 2, [first, second])),
        ("other", starts("o")),
        ("third", starts("t")),
    ]);
    play.reply("p", [R, S]);
    play.poll(0.0);
    play.again();
    play.fire("go").again();
    assert_eq!(play.brief(), "+p +b ~p p:S +a +o");
}

#[test]
fn node_of_a_called_tree_is_deeper_than_its_callers() {
    let main = returns(sub_tree("third"), "go", "other");
    let third = returns(starts("c"), "go", "fourth");
    let mut play = Play::trees([
        ("main", main),
        ("other", starts("o")),
        ("third", third),
        ("fourth", starts("d")),
    ]);
    play.poll(0.0);
    play.fire("go").again();
    assert_eq!(play.brief(), "+c +d");
}

#[test]
fn events_trees_nest_and_come_back_one_by_one() {
    let mut play = Play::trees([
        ("main", returns(polled("p"), "go", "other")),
        ("other", returns(polled("o"), "go", "third")),
        ("third", starts("t")),
    ]);
    play.poll(0.0);
    play.fire("go").fire("go").again();
    assert_eq!(play.brief(), "+p +o +t");
    play.again();
    assert_eq!(play.brief(), "");
    play.reply("o", [S]);
    play.end("t", false);
    play.again();
    assert_eq!(play.brief(), "t:F ~o o:S ~p");
}

#[test]
fn result_of_an_events_tree_is_nobodys() {
    for success in [true, false] {
        let main = returns(of("always_false", [starts("a")]), "go", "other");
        let mut play = with_other(main, starts("o"));
        play.poll(0.0);
        play.fire("go").again();
        play.end("o", success);
        assert_eq!(play.again(), R);
        play.end("a", true);
        assert_eq!(play.again(), F);
    }
}

#[test]
fn event_that_a_node_took_once_goes_to_the_next_outer_one() {
    let inner = once(starts("a"), "go", "other");
    let outer = returns(sequence([inner]), "go", "third");
    let mut play = Play::trees([("main", outer), ("other", now("o")), ("third", now("t"))]);
    play.poll(0.0);
    play.fire("go").fire("go").fire("go").again();
    assert_eq!(play.brief(), "+a +o o:S +t t:S +t t:S");
}

#[test]
fn transfer_aborts_the_tree_innermost_first_and_stays() {
    let note = |line: &str| bt_core::tree::asset::spec::call("note").arg(line);
    let inner = sequence([starts("a")]).effect("exit", note("inner"));
    let main = takes(sequence([inner]), "go", "other", "transfer").effect("exit", note("outer"));
    let mut play = with_other(main, starts("o")).looping();
    play.poll(0.0);
    play.fire("go").again();
    assert_eq!(play.brief(), "+a a:A inner outer +o");
    play.end("o", true);
    play.again();
    assert_eq!(play.brief(), "o:S +o");
}

#[test]
fn transfer_is_the_default() {
    let main = starts("a").extra("events", json!([{"event": "go", "tree": "other"}]));
    let mut play = with_other(main, starts("o"));
    play.poll(0.0);
    play.fire("go").again();
    assert_eq!(play.brief(), "+a a:A +o");
}

#[test]
fn timer_that_falls_due_while_suspended_is_delivered_when_the_tree_is_back() {
    let main = returns(sequence([wait(1.0), wait(1.0), now("x")]), "go", "other");
    let mut play = with_other(main, starts("o"));
    play.poll(0.0);
    play.fire("go").poll(0.5);
    play.poll(3.0);
    play.end("o", true);
    play.poll(4.0);
    assert_eq!(play.brief(), "+o o:S");
    // The second wait was entered at 4.
    play.poll(4.5);
    assert_eq!(play.brief(), "");
    assert_eq!(play.poll(5.0), S);
    assert_eq!(play.brief(), "+x x:S");
}

#[test]
fn polled_child_wins_at_a_deadline_that_was_held() {
    let main = returns(timed("timeout", 1.0, polled("p")), "go", "other");
    let mut play = with_other(main, starts("o"));
    play.reply("p", [R, S]);
    play.poll(0.0);
    play.fire("go").poll(0.5);
    play.poll(2.0);
    play.end("o", true);
    assert_eq!(play.poll(3.0), S);
    assert_eq!(play.brief(), "+p +o o:S ~p p:S");
}

#[test]
fn held_timers_are_delivered_in_the_order_of_their_times() {
    let children = [
        sequence([wait(2.0), now("x")]),
        sequence([wait(1.0), now("y")]),
    ];
    let main = returns(parallel(2, 1, children), "go", "other");
    let mut play = with_other(main, starts("o"));
    play.poll(0.0);
    play.fire("go").poll(0.5);
    play.poll(1.5);
    play.poll(3.0);
    play.end("o", true);
    assert_eq!(play.poll(3.0), S);
    assert_eq!(play.brief(), "+o o:S +y y:S +x x:S");
}

#[test]
fn completion_and_event_are_delivered_in_the_order_they_arrived_though_one_suspends() {
    let main = || returns(sequence([starts("a"), starts("b")]), "go", "other");
    let mut play = with_other(main(), starts("o"));
    play.poll(0.0);
    play.end("a", true);
    play.fire("go").again();
    assert_eq!(play.brief(), "+a a:S +b +o");
    let mut play = with_other(main(), starts("o"));
    play.poll(0.0);
    play.fire("go");
    play.end("a", true);
    play.again();
    assert_eq!(play.brief(), "+a +o");
    play.end("o", true);
    play.again();
    assert_eq!(play.brief(), "o:S a:S +b");
}

#[test]
fn cooldown_runs_on_while_suspended() {
    let cooled = timed("cooldown", 1.0, now("a"));
    let main = returns(
        sequence([cooled, starts("b"), timed("cooldown", 9.0, now("c"))]),
        "go",
        "other",
    );
    let mut play = with_other(main, starts("o")).looping();
    play.poll(0.0);
    play.fire("go").poll(0.5);
    play.end("o", true);
    play.poll(2.0);
    play.end("b", true);
    play.poll(2.0);
    assert_eq!(play.brief(), "+a a:S +b +o o:S b:S +c c:S +a a:S +b");
}

#[test]
fn guard_rests_while_suspended_and_aborts_when_the_tree_is_back() {
    let guarded = starts("a").guard(guard_holds("f").set("abort", "self"));
    let main = returns(select([guarded, starts("z")]), "go", "other");
    let mut play = with_other(main, starts("o"));
    play.flag("f", true).poll(0.0);
    play.fire("go").again();
    play.flag("f", false).polls::<2>();
    assert_eq!(play.brief(), "?f +a +o");
    play.end("o", true);
    play.again();
    assert_eq!(play.brief(), "o:S ?f a:A +z");
}

#[test]
fn key_guard_aborts_before_a_held_completion_is_delivered() {
    let guarded = sequence([starts("a"), now("b")]);
    let guarded = guarded.guard(guard_key("k").set("abort", "self"));
    let main = returns(select([guarded, starts("z")]), "go", "other");
    let mut play = with_other(main, starts("o"));
    play.set("k", true).poll(0.0);
    play.fire("go").again();
    play.set("k", false);
    play.end("a", true);
    play.again();
    play.end("o", true);
    play.again();
    assert_eq!(play.brief(), "+a +o o:S a:A +z");
}

#[test]
fn write_of_the_last_action_of_an_events_tree_reacts_when_the_tree_is_back() {
    let guarded = starts("a").guard(guard_key("k").negated().set("abort", "self"));
    let main = returns(select([guarded, starts("z")]), "go", "other");
    let mut play = with_other(main, sequence([now("o"), now("w")]));
    play.on_call("w", |cx| cx.set("k", true));
    play.poll(0.0);
    play.fire("go").again();
    assert_eq!(play.brief(), "+a +o o:S +w w:S a:A +z");
}

#[test]
fn event_that_the_last_action_of_an_events_tree_fires_reaches_the_tree_that_is_back() {
    let main = returns(sequence([wait_event("told"), now("x")]), "go", "other");
    let mut play = with_other(main, now("f"));
    play.on_call("f", |cx| cx.fire(Event::new("told")));
    play.poll(0.0);
    play.fire("go");
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+f f:S +x x:S");
}

#[test]
fn event_that_an_events_tree_fires_and_waits_after_reaches_no_suspended_waiter() {
    let main = returns(sequence([wait_event("told"), now("x")]), "go", "other");
    let mut play = with_other(main, sequence([now("f"), starts("o")]));
    play.on_call("f", |cx| cx.fire(Event::new("told")));
    play.poll(0.0);
    play.fire("go").again();
    play.end("o", true);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+f f:S +o o:S");
}

#[test]
fn event_that_a_node_took_is_not_latched() {
    let waits = wait_event("go").extra("latch", true);
    let main = returns(sequence([starts("a"), waits, now("x")]), "go", "other");
    let mut play = with_other(main, now("o"));
    play.poll(0.0);
    play.fire("go").again();
    play.end("a", true);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+a +o o:S a:S");
}

#[test]
fn event_of_a_suspended_latch_is_kept_for_it() {
    let waits = wait_event("told").extra("latch", true);
    let main = returns(sequence([starts("a"), waits, now("x")]), "go", "other");
    let mut play = with_other(main, starts("o"));
    play.poll(0.0);
    play.fire("go").fire("told").again();
    play.end("o", true);
    play.end("a", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+a +o o:S a:S +x x:S");
}

#[test]
fn end_outside_in_an_events_tree_ends_that_tree_only() {
    for outside in [false, true] {
        let ends = node("end")
            .extra("status", "failure")
            .extra("outside", outside);
        let other = sequence([starts("o"), ends, now("n")]);
        let mut play = with_other(returns(polled("p"), "go", "other"), other);
        play.poll(0.0);
        play.fire("go").again();
        play.end("o", true);
        assert_eq!(play.again(), R);
        assert_eq!(play.brief(), "+p +o o:S ~p");
    }
}

#[test]
fn end_outside_in_a_tree_that_an_events_tree_calls_ends_the_events_tree() {
    let ends = node("end")
        .extra("status", "failure")
        .extra("outside", true);
    let mut play = Play::trees([
        ("main", returns(polled("p"), "go", "other")),
        ("other", of("always_true", [sub_tree("third")])),
        ("third", sequence([starts("t"), ends])),
    ]);
    play.poll(0.0);
    play.fire("go").again();
    play.end("t", true);
    play.again();
    assert_eq!(play.brief(), "+p +t t:S ~p");
}

#[test]
fn host_stop_aborts_the_events_tree_before_the_suspended_one() {
    let mut play = with_other(
        returns(parallel(2, 2, [starts("a"), starts("b")]), "go", "other"),
        parallel(2, 2, [starts("o"), starts("n")]),
    );
    play.poll(0.0);
    play.fire("go").again();
    play.stop();
    assert_eq!(play.brief(), "+a +b +o +n n:A o:A b:A a:A");
}

#[test]
fn host_reset_and_load_abort_the_events_tree_and_the_suspended_one() {
    for load in [true, false] {
        let mut play = Play::trees([
            ("main", returns(starts("a"), "go", "other")),
            ("other", starts("o")),
            ("third", starts("t")),
        ]);
        play.poll(0.0);
        play.fire("go").again();
        if load {
            play.runner.load("third").unwrap();
        } else {
            play.runner.reset();
        }
        play.again();
        let next = if load { "+t" } else { "+a" };
        assert_eq!(play.brief(), format!("+a +o o:A a:A {next}"));
    }
}

#[test]
fn load_from_an_events_tree_aborts_the_suspended_one() {
    let mut play = Play::trees([
        ("main", returns(starts("a"), "go", "other")),
        ("other", sequence([now("l"), now("n")])),
        ("third", starts("t")),
    ]);
    play.on_call("l", |cx| cx.load("third"));
    play.poll(0.0);
    play.fire("go").again();
    assert_eq!(play.brief(), "+a +l l:S a:A +t");
}

#[test]
fn transfer_event_in_an_events_tree_replaces_that_tree_only() {
    let mut play = Play::trees([
        ("main", returns(polled("p"), "go", "other")),
        ("other", takes(starts("o"), "told", "third", "transfer")),
        ("third", starts("t")),
    ]);
    play.poll(0.0);
    play.fire("go").again();
    play.fire("told").again();
    play.end("t", true);
    play.again();
    assert_eq!(play.brief(), "+p +o o:A +t t:S ~p");
}

#[test]
fn transfer_to_a_tree_that_declares_the_key_writes_parameters_to_it() {
    let keys = json!({"name": {"type": "string", "initial": "none", "scope": "tree"}});
    let other = node("root")
        .extra("blackboard", keys)
        .child(action("starts").key("name"));
    let taken = |mode: &str| json!([{"event": "told", "tree": "other", "mode": mode, "params": {"what": "name"}}]);
    for mode in ["return", "transfer"] {
        let main = starts("a").extra("events", taken(mode));
        let mut play = with_other(main, other.clone());
        play.poll(0.0);
        play.runner.fire(Event::new("told").with("what", "x"));
        play.again();
        let log = play.brief();
        assert!(log.ends_with("+x"), "{mode}: {log}");
        assert!(!play.runner.blackboard().has("name"), "{mode}");
    }
}

#[test]
fn slow_loser_in_an_events_tree_keeps_the_tree_suspended() {
    let other = parallel(1, 1, [slow("b"), starts("w")]);
    let mut play = with_other(returns(polled("p"), "go", "other"), other);
    play.poll(0.0);
    play.fire("go").again();
    play.end("w", true);
    play.polls::<2>();
    assert_eq!(play.brief(), "+p +b +w w:S b:A");
    play.end("b", true);
    play.again();
    assert_eq!(play.brief(), "b:gone ~p");
}

#[test]
fn reactive_node_evaluates_once_in_the_poll_in_which_two_events_trees_end() {
    let main = returns(reactive_select([holds("f"), starts("b")]), "go", "other");
    let mut play = with_other(main, now("o"));
    play.poll(0.0);
    play.fire("go").fire("go").again();
    assert_eq!(play.brief(), "?f +b +o o:S +o o:S ?f");
}

#[test]
fn guard_of_the_taker_that_is_false_already_aborts_it_before_it_takes() {
    let guarded = starts("a").guard(guard_key("k").set("abort", "self"));
    let main = select([returns(guarded, "go", "other"), starts("z")]);
    let mut play = with_other(main, starts("o"));
    play.set("k", true).poll(0.0);
    play.set("k", false).fire("go").again();
    assert_eq!(play.brief(), "+a a:A +z");
}

#[test]
fn event_that_is_fired_while_the_taker_is_entered_is_taken_after_the_pass() {
    let main = returns(sequence([now("f"), now("x"), starts("a")]), "go", "other");
    let mut play = with_other(main, starts("o"));
    play.on_call("f", |cx| cx.fire(Event::new("go")));
    play.poll(0.0);
    assert_eq!(play.brief(), "+f f:S +x x:S +a +o");
}

//! Worked examples with what the reference does not have: actions that cancel over several polls, events
//! that switch trees, parameters.

use bt_core::Event;
use bt_core::tree::asset::spec::{
    Call, NodeSpec, action, call, node, parallel, reactive_select, select, sequence, sub_tree,
    wait_event,
};
use bt_tests::probe::{
    F, Play, R, S, frames, guard_holds, guard_key, holds, now, of, polled, slow, starts, timed,
    times, wait,
};
use serde_json::json;

fn own(guard: Call) -> Call {
    guard.set("abort", "self")
}

fn lower(guard: Call) -> Call {
    guard.set("abort", "lower")
}

fn returns(top: NodeSpec, event: &str, tree: &str) -> NodeSpec {
    takes(top, event, tree, "return")
}

fn takes(top: NodeSpec, event: &str, tree: &str, mode: &str) -> NodeSpec {
    let taken = json!([{"event": event, "tree": tree, "mode": mode}]);
    top.extra("events", taken)
}

fn latched(event: &str) -> NodeSpec {
    wait_event(event).extra("latch", true)
}

#[test]
fn frames_do_not_count_while_suspended() {
    let main = returns(times("frames", 3, polled("p")), "go", "other");
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.poll(0.0);
    play.fire("go").again();
    play.polls::<3>();
    assert_eq!(play.brief(), "+p +o");
    play.end("o", true);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "o:S ~p");
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "~p p:A");
}

#[test]
fn lower_guard_that_turned_true_while_suspended_takes_over_when_the_tree_is_back() {
    let a = starts("a").guard(lower(guard_key("k")));
    let main = select([a, returns(starts("b"), "go", "other")]);
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.poll(0.0);
    play.fire("go").again();
    play.set("k", true).again();
    assert_eq!(play.brief(), "+b +o");
    play.end("o", true);
    play.again();
    assert_eq!(play.brief(), "o:S b:A +a");
}

#[test]
fn lower_guard_of_the_agent_that_turned_true_while_suspended_takes_over_when_the_tree_is_back() {
    let a = starts("a").guard(lower(guard_holds("f")));
    let main = select([a, returns(starts("b"), "go", "other")]);
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.poll(0.0);
    assert_eq!(play.brief(), "?f +b");
    play.fire("go").again();
    play.flag("f", true).again();
    assert_eq!(play.brief(), "+o");
    play.end("o", true);
    play.again();
    assert_eq!(play.brief(), "o:S ?f b:A +a");
}

#[test]
fn pause_stops_the_clock_of_a_suspended_tree() {
    let main = returns(sequence([wait(2.0), starts("z")]), "go", "other");
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.poll(0.0);
    play.fire("go").poll(1.0);
    play.runner.pause();
    play.poll(11.0);
    play.runner.resume();
    play.poll(11.0);
    play.end("o", true);
    play.poll(11.5);
    assert_eq!(play.brief(), "+o o:S");
    play.poll(12.0);
    assert_eq!(play.brief(), "+z");
}

#[test]
fn latch_keeps_the_parameters_of_the_newest_event() {
    let waits = latched("told").extra("params", json!({"what": "name"}));
    let mut play = Play::new(sequence([starts("a"), waits, action("starts").key("name")]));
    play.poll(0.0);
    for what in ["x", "y"] {
        play.runner.fire(Event::new("told").with("what", what));
    }
    play.again();
    play.end("a", true);
    play.again();
    assert_eq!(play.brief(), "+a a:S +y");
}

#[test]
fn latch_serves_one_waiter() {
    let mut play = Play::new(sequence([
        starts("a"),
        latched("go"),
        now("y"),
        latched("go"),
        now("z"),
    ]));
    play.poll(0.0);
    play.fire("go").fire("go").again();
    play.end("a", true);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+a a:S +y y:S");
}

#[test]
fn latch_outlives_the_end_of_a_run_and_a_load() {
    let main = sequence([starts("a"), latched("told"), now("y")]);
    let other = sequence([starts("b"), latched("go"), now("z")]);
    let mut play = Play::trees([("main", main), ("other", other)]);
    play.poll(0.0);
    play.fire("go").again();
    play.runner.load("other").unwrap();
    play.again();
    play.end("b", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+a a:A +b b:S +z z:S");
}

#[test]
fn reset_node_clears_latched_events() {
    let again = sequence([holds("f"), node("reset")]);
    let then = sequence([latched("go"), now("z")]);
    let mut play = Play::new(sequence([starts("a"), select([again, then])]));
    play.flag("f", true).poll(0.0);
    play.fire("go").again();
    play.end("a", true);
    play.again();
    play.flag("f", false).again();
    play.end("a", true);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+a a:S ?f +a a:S ?f");
}

#[test]
fn closed_parent_holds_the_timers_of_its_other_children_and_calls_none() {
    let a = slow("a").guard(own(guard_key("k")));
    let c = sequence([wait(1.0), now("c")]);
    let mut play = Play::new(parallel(3, 2, [a, c, polled("p")]));
    play.set("k", true).poll(0.0);
    assert_eq!(play.brief(), "+a +p");
    play.set("k", false).poll(0.5);
    assert_eq!(play.brief(), "a:A");
    play.poll(2.0);
    assert_eq!(play.brief(), "");
    play.end("a", true);
    assert_eq!(play.poll(3.0), R);
    assert_eq!(play.brief(), "a:gone +c c:S ~p");
}

#[test]
fn closed_parent_holds_the_events_and_completions_of_its_other_children() {
    let a = slow("a").guard(own(guard_key("k")));
    let c = sequence([wait_event("go"), now("c")]);
    let d = sequence([starts("d"), now("e")]);
    let mut play = Play::new(parallel(3, 2, [a, c, d]));
    play.set("k", true).poll(0.0);
    play.set("k", false).again();
    assert_eq!(play.brief(), "+a +d a:A");
    play.end("d", true);
    play.fire("go").again();
    play.again();
    assert_eq!(play.brief(), "");
    play.end("a", true);
    play.again();
    assert_eq!(play.brief(), "a:gone d:S +e e:S +c c:S");
}

#[test]
fn closed_parent_is_closed_though_a_deep_child_cancels() {
    let a = sequence([of("always_true", [slow("a")])]).guard(own(guard_key("k")));
    let mut play = Play::new(parallel(2, 2, [a, polled("p")]));
    play.set("k", true).poll(0.0);
    play.set("k", false).again();
    play.again();
    assert_eq!(play.brief(), "+a +p a:A");
    play.end("a", true);
    play.again();
    assert_eq!(play.brief(), "a:gone ~p");
}

#[test]
fn takeover_is_checked_again_when_the_abort_took_longer_and_a_false_guard_fails_the_child() {
    for kind in ["select", "memory_select"] {
        let z = starts("z").guard(lower(guard_key("k")));
        let mut play = Play::new(of(kind, [z, slow("b")]));
        play.poll(0.0);
        play.set("k", true).again();
        play.set("k", false).poll(2.0);
        assert_eq!(play.brief(), "+b b:A");
        play.end("b", true);
        play.again();
        assert_eq!(play.brief(), "b:gone +b", "{kind}");
    }
}

#[test]
fn takeover_evaluates_again_once_when_the_abort_took_longer() {
    let z = starts("z").guard(lower(guard_holds("f")));
    let mut play = Play::new(select([z, slow("b")]));
    play.poll(0.0);
    play.flag("f", true).again();
    assert_eq!(play.brief(), "?f +b ?f b:A");
    play.again();
    assert_eq!(play.brief(), "");
    play.end("b", true);
    play.again();
    assert_eq!(play.brief(), "b:gone ?f +z");
}

#[test]
fn takeover_is_checked_again_from_the_leftmost() {
    let at = |name: &str, key: &str| starts(name).guard(lower(guard_key(key)));
    for still in [true, false] {
        let mut play = Play::new(select([at("x", "h"), at("z", "k"), slow("b")]));
        play.poll(0.0);
        play.set("k", true).again();
        play.set("h", true).set("k", still).again();
        assert_eq!(play.brief(), "+b b:A");
        play.end("b", true);
        play.again();
        assert_eq!(play.brief(), "b:gone +x", "{still}");
    }
}

#[test]
fn takeover_that_waited_enters_no_child_that_had_failed_without_a_guard() {
    let z = starts("z").guard(lower(guard_key("k")));
    let mut play = Play::new(select([now("u"), z, slow("b")]));
    play.reply("u", [F]);
    play.poll(0.0);
    play.set("k", true).again();
    play.again();
    assert_eq!(play.brief(), "+u u:F +b b:A");
    play.end("b", true);
    play.again();
    assert_eq!(play.brief(), "b:gone +z");
}

#[test]
fn deadline_while_a_takeover_waits_enters_nothing() {
    let z = starts("z").guard(lower(guard_key("k")));
    let mut play = Play::new(timed("timeout", 1.0, select([z, slow("b")])));
    play.poll(0.0);
    play.set("k", true).poll(0.5);
    assert_eq!(play.poll(1.0), R);
    play.end("b", true);
    assert_eq!(play.poll(1.5), F);
    assert_eq!(play.brief(), "+b b:A b:gone");
}

#[test]
fn winner_of_a_reactive_node_is_not_called_while_the_loser_cancels() {
    let mut play = Play::new(reactive_select([polled("w"), slow("b")]));
    play.reply("w", [F, R, S]);
    play.poll(0.0);
    play.again();
    assert_eq!(play.brief(), "+w w:F +b +w b:A");
    play.again();
    assert_eq!(play.brief(), "");
    play.end("b", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "b:gone ~w w:S");
}

#[test]
fn writes_of_exits_react_when_a_slow_abort_is_complete() {
    let write = call("set_key_value").arg("k").arg(true);
    let g = starts("g").guard(own(guard_key("k").negated()));
    let c = sequence([starts("c")]).effect("exit", write);
    let inner = parallel(1, 3, [slow("b"), c, starts("w")]);
    let main = parallel(
        2,
        1,
        [select([g, starts("y")]), sequence([inner, starts("z")])],
    );
    let mut play = Play::new(main);
    play.poll(0.0);
    play.end("w", true);
    play.again();
    assert_eq!(play.brief(), "+g +b +c +w w:S c:A b:A");
    play.again();
    assert_eq!(play.brief(), "");
    play.end("b", true);
    play.again();
    assert_eq!(play.brief(), "b:gone g:A +y +z");
}

#[test]
fn arguments_of_a_called_tree_are_writes_that_guards_follow() {
    let a = starts("a").guard(lower(guard_key("k")));
    let args = json!({"k": {"arg_type": "plain", "arg_value": true}});
    let sub = sub_tree("other").extra("args", args);
    let main = select([a, sequence([polled("r"), sub])]);
    let keys = json!({"k": {"type": "bool", "initial": false}});
    let other = node("root").extra("blackboard", keys).child(starts("o"));
    let mut play = Play::trees([("main", main), ("other", other)]);
    play.reply("r", [R, S]);
    play.poll(0.0);
    play.again();
    assert_eq!(play.brief(), "+r ~r r:S +a");
}

#[test]
fn load_while_paused_acts_when_resumed() {
    let mut play = Play::trees([("main", starts("a")), ("other", starts("o"))]);
    play.poll(0.0);
    play.runner.pause();
    play.runner.load("other").unwrap();
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+a");
    play.runner.resume();
    play.again();
    assert_eq!(play.brief(), "a:A +o");
}

#[test]
fn stop_drops_a_load_of_the_host() {
    let mut play = Play::trees([("main", starts("a")), ("other", starts("o"))]);
    play.poll(0.0);
    play.runner.load("other").unwrap();
    play.stop();
    play.runner.start();
    play.again();
    assert_eq!(play.brief(), "+a a:A +a");
}

#[test]
fn load_after_a_stop_counts() {
    let mut play = Play::trees([("main", starts("a")), ("other", starts("o"))]);
    play.poll(0.0);
    play.stop();
    play.runner.load("other").unwrap();
    play.runner.start();
    play.again();
    assert_eq!(play.brief(), "+a a:A +o");
}

#[test]
fn load_after_a_stop_that_waits_counts() {
    let mut play = Play::trees([("main", slow("a")), ("other", starts("o"))]);
    play.poll(0.0);
    play.stop();
    play.runner.load("other").unwrap();
    play.again();
    play.end("a", true);
    play.polls::<2>();
    assert_eq!(play.brief(), "+a a:A a:gone +o");
}

#[test]
fn load_keeps_what_is_fired_while_the_abort_takes_its_time() {
    let other = sequence([wait_event("go"), now("z")]);
    let mut play = Play::trees([("main", slow("b")), ("other", other)]);
    play.poll(0.0);
    play.runner.load("other").unwrap();
    play.again();
    play.fire("go").again();
    play.end("b", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+b b:A b:gone +z z:S");
}

#[test]
fn reset_keeps_what_is_fired_while_the_abort_takes_its_time() {
    let main = sequence([select([sequence([wait_event("go"), now("z")])])]);
    let mut play = Play::new(parallel(1, 2, [slow("b"), main]));
    play.poll(0.0);
    play.runner.reset();
    play.again();
    play.fire("go").again();
    play.end("b", true);
    play.again();
    play.again();
    assert_eq!(play.brief(), "+b b:A b:gone +b +z z:S b:A");
}

#[test]
fn transfer_keeps_what_is_fired_while_the_abort_takes_its_time() {
    let other = sequence([wait_event("told"), now("z")]);
    let main = takes(slow("b"), "go", "other", "transfer");
    let mut play = Play::trees([("main", main), ("other", other)]);
    play.poll(0.0);
    play.fire("go").again();
    play.fire("told").again();
    play.end("b", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+b b:A b:gone +z z:S");
}

#[test]
fn poll_guard_with_lower_takes_over_and_aborts_its_own_node() {
    let guard = lower(guard_key("k")).set("mode", "poll");
    let mut play = Play::new(select([starts("a").guard(guard), starts("b")]));
    play.poll(0.0);
    play.set("k", true).again();
    assert_eq!(play.brief(), "+b b:A +a");
    play.set("k", false).again();
    assert_eq!(play.brief(), "a:A +b");
}

#[test]
fn polled_leaf_whose_key_was_removed_fails_and_exits_once() {
    let mut play = Play::new(action("polled").key("k"));
    play.set("k", "p").poll(0.0);
    play.runner.blackboard().remove("k");
    assert_eq!(play.again(), F);
    assert_eq!(play.brief(), "+p p:F");
}

#[test]
fn held_deadline_of_a_suspended_tree_does_not_replace_a_stop() {
    let main = returns(timed("timeout", 0.5, slow("a")), "told", "sub");
    let mut play = Play::trees([("main", main), ("sub", starts("s"))]);
    play.poll(0.0);
    play.fire("told").poll(0.1);
    play.poll(1.0);
    play.stop();
    play.end("a", true);
    play.polls::<3>();
    assert_eq!(play.brief(), "+a +s s:A a:A a:gone");
    assert!(!play.runner.is_running());
}

#[test]
fn guards_react_to_the_host_before_a_due_timer() {
    let a = sequence([wait(1.0), now("x")]).guard(own(guard_key("k").negated()));
    let mut play = Play::new(select([a, starts("z")]));
    play.poll(0.0);
    play.set("k", true).poll(1.0);
    assert_eq!(play.brief(), "+z");
}

#[test]
fn reactive_select_takes_its_turn_before_the_guard_below_it_follows_the_write() {
    let children = [
        starts("a").guard(own(guard_key("k"))),
        starts("b").guard(own(guard_key("k").negated())),
    ];
    let mut play = Play::new(parallel(2, 1, [polled("put"), reactive_select(children)]));
    let mut calls = 0;
    play.on_call("put", move |cx| {
        calls += 1;
        if calls == 2 {
            cx.set("k", true);
        }
    });
    play.poll(0.0);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+put +b ~put +a b:A");
}

#[test]
fn paused_polls_count_for_no_frames() {
    let main = parallel(
        2,
        1,
        [
            sequence([frames(3), now("w")]),
            times("frames", 3, polled("p")),
        ],
    );
    let mut play = Play::new(main);
    play.poll(0.0);
    play.runner.pause();
    play.polls::<3>();
    play.runner.resume();
    play.again();
    assert_eq!(play.brief(), "+p ~p");
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+w w:S ~p p:A");
}

#[test]
fn guard_of_a_sibling_in_a_closed_parent_aborts_it_at_once() {
    let a = slow("a").guard(own(guard_key("k")));
    let b = starts("b").guard(own(guard_key("h")));
    let mut play = Play::new(parallel(2, 2, [a, sequence([select([b, starts("c")])])]));
    play.set("k", true).set("h", true).poll(0.0);
    play.set("k", false).again();
    play.set("h", false).again();
    assert_eq!(play.brief(), "+a +b a:A");
    play.end("a", true);
    play.again();
    assert_eq!(play.brief(), "a:gone b:A +c");
}

#[test]
fn enter_effects_services_and_calls_nest_from_the_outside_in() {
    let note = |line: &str| call("note").arg(line);
    let main = sequence([now("a")])
        .effect("enter", note("enter"))
        .effect("success", note("success"))
        .effect("exit", note("exit"))
        .service(1.0, note("service"))
        .guard(own(guard_holds("f")));
    let mut play = Play::new(main);
    play.flag("f", true);
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.brief(), "?f enter service +a a:S success exit");
}

#[test]
fn tree_that_is_back_in_the_turn_has_its_turn_in_that_poll_once() {
    let main = returns(polled("p"), "go", "other");
    let mut play = Play::trees([("main", main), ("other", polled("o"))]);
    play.reply("o", [R, S]);
    play.poll(0.0);
    play.fire("go").again();
    assert_eq!(play.brief(), "+p +o");
    play.again();
    assert_eq!(play.brief(), "~o o:S ~p");
    play.again();
    assert_eq!(play.brief(), "~p");
}

#[test]
fn frames_of_a_tree_that_is_back_in_the_turn_count_that_poll() {
    let main = returns(times("frames", 3, polled("p")), "go", "other");
    let mut play = Play::trees([("main", main), ("other", polled("o"))]);
    play.reply("o", [R, R, S]);
    play.poll(0.0);
    play.fire("go").again();
    assert_eq!(play.polls(), [R, R]);
    assert_eq!(play.brief(), "+p +o ~o ~o o:S ~p");
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "~p p:A");
}

#[test]
fn frames_count_the_poll_in_whose_turn_an_event_is_fired_that_suspends_them() {
    let main = returns(times("frames", 3, polled("p")), "go", "other");
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    let mut calls = 0;
    play.on_call("p", move |cx| {
        calls += 1;
        if calls == 2 {
            cx.fire(Event::new("go"));
        }
    });
    play.polls::<4>();
    assert_eq!(play.brief(), "+p ~p +o");
    play.end("o", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "o:S ~p p:A");
}

#[test]
fn transfer_in_an_events_tree_comes_back_to_the_suspended_one_with_its_held_deadline() {
    let main = returns(timed("timeout", 1.0, starts("a")), "go", "other");
    let other = sequence([starts("o"), sub_tree("third").extra("mode", "transfer")]);
    let mut play = Play::trees([("main", main), ("other", other), ("third", starts("t"))]);
    play.poll(0.0);
    play.fire("go").poll(0.5);
    play.end("o", true);
    assert_eq!(play.poll(2.0), R);
    play.end("t", true);
    assert_eq!(play.poll(3.0), F);
    assert_eq!(play.brief(), "+a +o o:S +t t:S a:A");
}

/// A tree that waits, and has a key of the agent.
fn other_with_key() -> NodeSpec {
    let keys = json!({"k": {"type": "bool", "initial": false}});
    node("root").extra("blackboard", keys).child(starts("o"))
}

fn calls_other_with_key() -> NodeSpec {
    let args = json!({"k": {"arg_type": "plain", "arg_value": true}});
    sub_tree("other").extra("args", args)
}

#[test]
fn arguments_that_turn_no_guard_leave_the_called_tree_to_be_entered() {
    let a = starts("a")
        .guard(lower(guard_key("k")))
        .guard(guard_key("h"));
    let main = select([a, calls_other_with_key()]);
    let mut play = Play::trees([("main", main), ("other", other_with_key())]);
    play.poll(0.0);
    assert_eq!(play.brief(), "+o");
    play.end("o", true);
    assert_eq!(play.again(), S);
}

#[test]
fn arguments_of_a_called_tree_may_abort_the_node_that_calls_it() {
    let calls = calls_other_with_key().guard(own(guard_key("k").negated()));
    let main = sequence([select([calls, starts("z")]), calls_other_with_key()]);
    let mut play = Play::trees([("main", main), ("other", other_with_key())]);
    play.poll(0.0);
    assert_eq!(play.brief(), "+z");
    play.end("z", true);
    play.again();
    assert_eq!(play.brief(), "z:S +o");
}

#[test]
fn closed_parent_calls_its_own_service() {
    let a = slow("a").guard(own(guard_key("k")));
    let b = starts("b").service(1.0, call("note").arg("inner"));
    let main = parallel(2, 2, [a, b]).service(1.0, call("note").arg("outer"));
    let mut play = Play::new(main);
    play.set("k", true).poll(0.0);
    play.set("k", false).poll(0.5);
    assert_eq!(play.brief(), "outer +a inner +b a:A");
    play.poll(1.0);
    assert_eq!(play.brief(), "outer");
    play.end("a", true);
    play.poll(1.5);
    assert_eq!(play.brief(), "a:gone inner");
}

#[test]
fn reactive_node_evaluates_nothing_while_a_child_cancels() {
    let b = slow("b").guard(own(guard_key("k")));
    let mut play = Play::new(reactive_select([holds("f"), b, starts("c")]));
    play.set("k", true).poll(0.0);
    assert_eq!(play.brief(), "?f +b");
    // It takes its turn before the guard below it reacts.
    play.set("k", false).again();
    assert_eq!(play.brief(), "?f b:A");
    play.again();
    assert_eq!(play.brief(), "");
    play.end("b", true);
    play.again();
    assert_eq!(play.brief(), "b:gone +c ?f");
}

#[test]
fn parallel_with_rerun_enters_nothing_while_a_child_cancels() {
    let a = slow("a").guard(own(guard_key("k")));
    let main = parallel(2, 2, [a, now("b")]).extra("rerun", true);
    let mut play = Play::new(main);
    play.set("k", true).poll(0.0);
    play.set("k", false).again();
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+a +b b:S a:A");
    play.end("a", true);
    assert_eq!(play.again(), F);
    assert_eq!(play.brief(), "a:gone +b b:S");
}

#[test]
fn parameters_of_an_event_go_to_the_key_of_the_node_above_the_waiter() {
    let waits = wait_event("told").extra("params", json!({"what": "name"}));
    let keys = json!({"name": {"type": "string", "initial": "none"}});
    let inner = sequence([waits, action("starts").key("name")]).extra("blackboard", keys);
    let mut play = Play::new(inner);
    play.poll(0.0);
    play.runner.fire(Event::new("told").with("what", "x"));
    play.again();
    assert_eq!(play.brief(), "+x");
    assert!(!play.runner.blackboard().has("name"));
}

#[test]
fn pause_while_it_stops_and_resume() {
    let mut play = Play::new(slow("a"));
    play.poll(0.0);
    play.stop();
    play.runner.pause();
    play.end("a", true);
    play.polls::<2>();
    assert_eq!(play.brief(), "+a a:A");
    play.runner.resume();
    play.again();
    assert_eq!(play.brief(), "a:gone");
    assert!(!play.runner.is_running());
}

#[test]
fn start_while_paused_begins_when_resumed() {
    let mut play = Play::new(starts("a"));
    play.stop();
    play.runner.pause();
    play.runner.start();
    play.polls::<2>();
    assert_eq!(play.brief(), "");
    play.runner.resume();
    play.again();
    assert_eq!(play.brief(), "+a");
}

#[test]
fn reset_node_in_an_events_tree_aborts_everything_and_restarts_the_agents_tree() {
    let main = returns(starts("a"), "go", "other");
    let other = sequence([starts("o"), node("reset")]);
    let mut play = Play::trees([("main", main), ("other", other)]);
    play.set("k", 1).poll(0.0);
    play.fire("go").again();
    play.end("o", true);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+a +o o:S a:A");
    assert!(!play.runner.blackboard().has("k"));
    play.again();
    assert_eq!(play.brief(), "+a");
}

fn counted(top: NodeSpec) -> NodeSpec {
    let keys = json!({"n": {"type": "int64", "initial": 0}});
    top.extra("blackboard", keys)
}

fn more() -> Call {
    call("more").arg("n")
}

#[test]
fn services_and_effects_of_a_node_see_its_own_key() {
    let body = counted(sequence([starts("a")]));
    let body = body.effect("enter", more()).service(1.0, more());
    let mut play = Play::new(times("repeat", 2, body.effect("exit", more())));
    play.poll(0.0);
    play.poll(1.0);
    assert_eq!(play.brief(), "n 1 n 2 +a n 3");
    play.end("a", true);
    play.poll(1.5);
    assert_eq!(play.brief(), "a:S n 4 n 1 n 2 +a");
    assert!(!play.runner.blackboard().has("n"));
}

#[test]
fn exit_effects_after_a_slow_abort_see_the_key_of_their_node() {
    let body = counted(sequence([action("more").arg("n"), slow("b")]));
    let body = body.effect("exit", more());
    let mut play = Play::new(timed("timeout", 1.0, body));
    play.poll(0.0);
    play.poll(1.0);
    assert_eq!(play.brief(), "n 1 +b b:A");
    play.end("b", true);
    assert_eq!(play.poll(2.0), F);
    assert_eq!(play.brief(), "b:gone n 2");
}

#[test]
fn waits_whose_length_from_a_key_is_negative_fail_with_a_diagnostic() {
    for wait in ["wait_for_seconds", "wait_frames"] {
        let mut play = Play::new(action(wait).key("k"));
        play.set("k", -1);
        assert_eq!(play.poll(0.0), F, "{wait}");
        assert_eq!(play.diagnostics().len(), 1, "{wait}");
    }
}

#[test]
fn suspended_guard_that_was_false_and_is_true_again_aborts_nothing() {
    let guarded = starts("a").guard(own(guard_key("k")));
    let main = returns(select([guarded, starts("b")]), "go", "other");
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.set("k", true).poll(0.0);
    play.fire("go").again();
    play.set("k", false).again();
    play.set("k", true).again();
    play.end("o", true);
    play.again();
    assert_eq!(play.brief(), "+a +o o:S");
}

#[test]
fn held_event_of_a_closed_parent_is_not_given_to_who_waits_later_elsewhere() {
    let a = slow("a").guard(own(guard_key("k")));
    let c = sequence([wait_event("go"), now("c")]);
    let closed = parallel(2, 2, [a, c]);
    let later = sequence([starts("w"), wait_event("go"), now("d")]);
    let mut play = Play::new(parallel(2, 1, [closed, later]));
    play.set("k", true).poll(0.0);
    play.set("k", false).again();
    play.end("w", true);
    play.again();
    assert_eq!(play.brief(), "+a +w a:A w:S");
    play.fire("go").again();
    play.end("a", true);
    play.again();
    assert_eq!(play.brief(), "a:gone +c c:S");
}

#[test]
fn takeover_from_a_cancelling_child_by_another_aborts_nothing_twice_and_enters_one() {
    // While `b` cancels for `z`, the guard of `x` turns true, and false again.
    let at = |name: &str, key: &str| starts(name).guard(lower(guard_key(key)));
    let mut play = Play::new(select([at("x", "h"), at("z", "k"), slow("b")]));
    play.poll(0.0);
    play.set("k", true).again();
    play.set("h", true).again();
    play.set("h", false).again();
    play.end("b", true);
    play.again();
    assert_eq!(play.brief(), "+b b:A b:gone +z");
}

#[test]
fn stop_then_start_while_suspended_starts_the_agents_tree_once() {
    let main = returns(starts("a"), "go", "other");
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.poll(0.0);
    play.fire("go").again();
    play.stop();
    play.runner.start();
    play.again();
    assert_eq!(play.brief(), "+a +o o:A a:A +a");
}

#[test]
fn completion_of_a_suspended_leaf_is_held_over_a_pause() {
    let main = returns(sequence([starts("a"), now("z")]), "go", "other");
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.poll(0.0);
    play.fire("go").again();
    play.runner.pause();
    play.end("a", true);
    play.end("o", true);
    play.again();
    assert_eq!(play.brief(), "+a +o");
    play.runner.resume();
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "o:S a:S +z z:S");
}

#[test]
fn root_may_be_guarded_and_have_effects() {
    let note = |line: &str| call("note").arg(line);
    let root = node("root").child(starts("a")).guard(own(guard_key("k")));
    let root = root
        .effect("enter", note("enter"))
        .effect("exit", note("exit"));
    let mut play = Play::new(root).looping();
    assert_eq!(play.poll(0.0), F);
    play.set("k", true).again();
    assert_eq!(play.brief(), "enter +a");
    play.set("k", false);
    play.again();
    assert_eq!(play.brief(), "a:A exit");
}

#[test]
fn event_of_a_closed_part_is_not_taken_by_a_node_in_it() {
    let a = slow("a").guard(own(guard_key("k")));
    let b = takes(starts("b"), "go", "other", "transfer");
    let mut play = Play::trees([("main", parallel(2, 2, [a, b])), ("other", starts("o"))]);
    play.set("k", true).poll(0.0);
    play.set("k", false).again();
    play.fire("go").again();
    assert_eq!(play.brief(), "+a +b a:A");
    play.end("a", true);
    play.again();
    assert_eq!(play.brief(), "a:gone b:A +o");
}

#[test]
fn timeout_in_a_closed_part_fails_when_that_is_open() {
    let a = slow("a").guard(own(guard_key("k")));
    let b = timed("timeout", 1.0, polled("b"));
    let mut play = Play::new(parallel(2, 2, [a, select([b, starts("z")])]));
    play.set("k", true).poll(0.0);
    play.set("k", false).poll(0.5);
    play.poll(2.0);
    assert_eq!(play.brief(), "+a +b a:A");
    play.end("a", true);
    play.poll(3.0);
    assert_eq!(play.brief(), "a:gone ~b b:A +z");
}

#[test]
fn loop_of_a_suspended_tree_begins_once_in_the_poll_in_which_it_is_back() {
    let main = returns(times("loop", -1, now("a")), "go", "other");
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.poll(0.0);
    play.fire("go").again();
    play.again();
    assert_eq!(play.brief(), "+a a:S +o");
    play.end("o", true);
    play.again();
    assert_eq!(play.brief(), "o:S +a a:S");
}

#[test]
fn reactive_node_of_a_suspended_tree_evaluates_when_it_is_back() {
    let main = returns(reactive_select([holds("f"), starts("b")]), "go", "other");
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.poll(0.0);
    play.fire("go").again();
    play.flag("f", true).again();
    assert_eq!(play.brief(), "?f +b +o");
    play.end("o", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "o:S ?f b:A");
}

#[test]
fn events_tree_that_ends_at_once_lets_the_suspended_one_have_its_turn() {
    let main = returns(polled("p"), "go", "other");
    let mut play = Play::trees([("main", main), ("other", now("o"))]);
    play.poll(0.0);
    play.fire("go").fire("go").again();
    assert_eq!(play.brief(), "+p +o o:S +o o:S ~p");
}

#[test]
fn takeover_by_poll_guards_waits_for_a_slow_loser_and_is_checked_again() {
    let guard = lower(guard_holds("f")).set("mode", "poll");
    let mut play = Play::new(select([starts("z").guard(guard), slow("b")]));
    play.poll(0.0);
    play.flag("f", true).again();
    play.flag("f", false).again();
    play.end("b", true);
    play.again();
    assert_eq!(play.brief(), "?f +b ?f b:A b:gone ?f +b");
}

#[test]
fn slow_loser_of_a_takeover_keeps_its_place_in_a_select_that_keeps_it() {
    let z = starts("z").guard(lower(guard_key("k")));
    let kept = sequence([now("y"), slow("b")]).keep_place();
    let mut play = Play::new(select([z, kept]));
    play.poll(0.0);
    play.set("k", true).again();
    play.end("b", true);
    play.again();
    play.end("z", false);
    play.again();
    assert_eq!(play.brief(), "+y y:S +b b:A b:gone +z z:F +b");
}

#[test]
fn stop_from_an_action_while_another_part_cancels_waits_for_it() {
    let inner = sequence([parallel(1, 2, [slow("b"), starts("w")]), starts("z")]);
    let mut play = Play::new(parallel(
        2,
        1,
        [inner, sequence([starts("s"), now("stop")])],
    ));
    play.on_call("stop", |cx| cx.stop());
    play.poll(0.0);
    play.end("w", true);
    play.again();
    play.end("s", true);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+b +w +s w:S b:A s:S +stop stop:S");
    play.end("b", true);
    play.polls::<2>();
    assert_eq!(play.brief(), "b:gone");
    assert!(!play.runner.is_running());
}

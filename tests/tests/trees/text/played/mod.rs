//! Worked examples with what the reference does not have: actions that cancel over several polls, events
//! that switch trees, parameters.

mod closed;
mod control;
mod suspended;

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
fn waits_whose_length_from_a_key_is_negative_fail_with_a_diagnostic() {
    for wait in ["wait_for_seconds", "wait_frames"] {
        let mut play = Play::new(action(wait).key("k"));
        play.set("k", -1);
        assert_eq!(play.poll(0.0), F, "{wait}");
        assert_eq!(play.diagnostics().len(), 1, "{wait}");
    }
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

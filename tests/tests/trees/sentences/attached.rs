//! Chapters "Attachments" and "Leaves": effects, services, parameters, arguments that are missing.

use bt_core::Event;
use bt_core::tree::asset::spec::{
    Call, NodeSpec, action, call, node, parallel, select, sequence, wait_event,
};
use bt_tests::probe::{
    F, Play, R, S, guard_holds, guard_key, now, of, panics, polled, starts, timed, times, wait,
};
use serde_json::json;

fn note(line: &str) -> Call {
    call("note").arg(line)
}

fn put(line: &str, key: &str, on: bool) -> Call {
    call("put").arg(line).arg(key).arg(on)
}

fn effects(top: NodeSpec, name: &str) -> NodeSpec {
    let all = ["enter", "success", "failure", "exit"];
    all.into_iter().fold(top, |top, when| {
        top.effect(when, note(&format!("{name}.{when}")))
    })
}

fn own(key: &str) -> Call {
    guard_key(key).set("abort", "self")
}

fn lower(key: &str) -> Call {
    guard_key(key).set("abort", "lower")
}

/// A wait for `told` that writes its parameter to a key.
fn told(key: &str) -> NodeSpec {
    wait_event("told").extra("params", json!({"what": key}))
}

#[test]
fn effects_run_around_a_leaf_that_ends() {
    for (success, how) in [(true, "a:S a.success"), (false, "a:F a.failure")] {
        let mut play = Play::new(effects(starts("a"), "a"));
        play.poll(0.0);
        play.end("a", success);
        play.again();
        assert_eq!(play.brief(), format!("a.enter +a {how} a.exit"));
    }
}

#[test]
fn effects_of_an_aborted_node_are_failure_then_exit_innermost_first() {
    let inner = effects(sequence([effects(starts("a"), "a")]), "b");
    let mut play = Play::new(timed("timeout", 1.0, inner));
    play.poll(0.0);
    play.poll(1.0);
    assert_eq!(
        play.brief(),
        "b.enter a.enter +a a:A a.failure a.exit b.failure b.exit"
    );
}

#[test]
fn effects_of_one_moment_run_in_the_order_they_are_written() {
    let a = now("a")
        .effect("exit", note("first"))
        .effect("exit", note("second"));
    let mut play = Play::new(a);
    play.poll(0.0);
    assert_eq!(play.brief(), "+a a:S first second");
}

#[test]
fn effect_between_two_of_one_moment_that_aborts_its_node_lets_the_rest_run_no_more() {
    // The guard reacts to the first enter effect, before the second is called.
    let a = sequence([now("a")])
        .guard(own("k"))
        .effect("enter", put("first", "k", false))
        .effect("enter", note("second"))
        .effect("exit", note("exit"));
    let mut play = Play::new(select([a, now("z")]));
    play.set("k", true).poll(0.0);
    assert_eq!(play.brief(), "first exit +z z:S");
}

#[test]
fn result_of_an_effect_is_ignored() {
    let a = now("a")
        .effect("enter", call("now").arg("e"))
        .effect("exit", call("now").arg("x"));
    let mut play = Play::new(a);
    play.reply("e", [F]);
    play.reply("x", [F]);
    assert_eq!(play.poll(0.0), S);
}

#[test]
fn effects_of_a_decorator_run_once_around_all_its_runs() {
    let mut play = Play::new(effects(times("repeat", 2, effects(now("a"), "a")), "r"));
    play.poll(0.0);
    assert_eq!(
        play.brief(),
        "r.enter a.enter +a a:S a.success a.exit a.enter +a a:S a.success a.exit r.success r.exit"
    );
}

#[test]
fn effects_see_the_result_of_the_node_not_of_its_child() {
    let mut play = Play::new(effects(of("negative", [now("a")]), "n"));
    assert_eq!(play.poll(0.0), F);
    assert_eq!(play.brief(), "n.enter +a a:S n.failure n.exit");
}

#[test]
fn refused_node_has_no_effects_and_no_service() {
    let a = effects(now("a"), "a")
        .service(1.0, note("service"))
        .guard(guard_holds("f"));
    let mut play = Play::new(select([a, starts("z")]));
    play.poll(0.0);
    play.poll(5.0);
    assert_eq!(play.brief(), "?f +z");
}

#[test]
fn cooling_node_is_entered_and_has_effects() {
    // It is the cooldown that fails, not a guard that refuses.
    let mut play = Play::new(effects(timed("cooldown", 9.0, now("a")), "c")).looping();
    play.poll(0.0);
    play.brief();
    assert_eq!(play.again(), F);
    assert_eq!(play.brief(), "c.enter c.failure c.exit");
}

#[test]
fn effect_of_an_exit_that_writes_aborts_a_sibling_before_the_parallel_counts_the_result() {
    let a = now("a").effect("exit", put("put", "k", true));
    let b = starts("b").guard(own("k").negated());
    let mut play = Play::new(parallel(1, 1, [b, a]));
    play.poll(0.0);
    // The sibling's failure comes first.
    assert_eq!(play.brief(), "+b +a a:S put b:A");
    assert_eq!(play.runner.result(), Some(false));
}

#[test]
fn service_does_not_catch_up() {
    let mut play = Play::new(starts("a").service(1.0, note("s")));
    play.poll(0.0);
    play.poll(5.5);
    play.again();
    assert_eq!(play.brief(), "s +a s");
}

#[test]
fn service_of_a_node_that_ends_at_once_runs_once() {
    let mut play = Play::new(sequence([now("a").service(1.0, note("s")), starts("b")]));
    play.poll(0.0);
    play.poll(3.0);
    assert_eq!(play.brief(), "s +a a:S +b");
}

#[test]
fn services_run_in_the_order_of_their_times_among_the_timers() {
    let a = sequence([wait(2.0), now("x")]).service(1.5, note("s"));
    let b = sequence([wait(1.0), now("y")]);
    let mut play = Play::new(parallel(2, 1, [a, b]));
    play.poll(0.0);
    play.poll(2.0);
    assert_eq!(play.brief(), "s +y y:S s +x x:S");
}

#[test]
fn service_that_ends_its_branch_by_a_write_is_not_called_again() {
    let a = starts("a")
        .guard(own("k"))
        .service(1.0, put("s", "k", false));
    let mut play = Play::new(select([sequence([a, now("b")]), starts("z")]));
    play.set("k", true).poll(0.0);
    play.poll(4.0);
    assert_eq!(play.brief(), "s +z");
}

#[test]
fn service_counts_from_each_entry_of_its_node() {
    let a = starts("a").service(2.0, note("s"));
    let mut play = Play::new(times("repeat", 2, a));
    play.poll(0.0);
    play.end("a", true);
    play.poll(1.0);
    play.poll(2.0);
    assert_eq!(play.brief(), "s +a a:S s +a");
    play.poll(3.0);
    assert_eq!(play.brief(), "s");
}

#[test]
fn service_rests_in_a_pause() {
    let mut play = Play::new(starts("a").service(1.0, note("s")));
    play.poll(0.0);
    play.poll(0.5);
    play.runner.pause();
    play.poll(8.0);
    play.runner.resume();
    play.poll(8.0);
    assert_eq!(play.brief(), "s +a");
    play.poll(8.5);
    assert_eq!(play.brief(), "s");
}

#[test]
fn deadline_of_one_time_with_a_service_outside_it_comes_after_the_service() {
    // The service was set first.
    let a = timed("timeout", 1.0, starts("a"));
    let mut play = Play::new(sequence([a]).service(1.0, note("s")));
    play.poll(0.0);
    play.poll(1.0);
    assert_eq!(play.brief(), "s +a s a:A");
}

#[test]
fn parameters_are_written_before_the_waiter_finishes_and_watchers_see_them_in_the_turn() {
    let waits = sequence([told("k"), now("x"), starts("y")]);
    let mut play = Play::new(select([starts("a").guard(lower("k")), waits]));
    play.poll(0.0);
    play.runner.fire(Event::new("told").with("what", true));
    play.again();
    assert_eq!(play.brief(), "+x x:S +y y:A +a");
}

#[test]
fn parameter_that_the_event_does_not_have_leaves_its_key_as_it_is() {
    let mut play = Play::new(sequence([told("k"), action("starts").key("k")]));
    play.set("k", "old").poll(0.0);
    play.fire("told").again();
    assert_eq!(play.brief(), "+old");
}

#[test]
fn parameters_of_an_event_that_nobody_takes_are_not_written() {
    let mut play = Play::new(sequence([starts("a"), told("k"), starts("b")]));
    play.poll(0.0);
    play.runner.fire(Event::new("told").with("what", 7));
    play.again();
    assert!(!play.runner.blackboard().has("k"));
}

#[test]
fn event_with_an_unknown_or_unlike_parameter_is_not_delivered() {
    for event in [
        Event::new("go").with("n", "seven"),
        Event::new("go").with("m", 7),
        Event::new("go").with("n", 7.5),
    ] {
        let mut play = Play::new(sequence([wait_event("go"), now("x")]));
        play.poll(0.0);
        play.runner.fire(event);
        assert_eq!(play.again(), R);
        assert_eq!(play.diagnostics().len(), 1);
    }
    let mut play = Play::new(sequence([wait_event("go"), now("x")]));
    play.poll(0.0);
    play.runner.fire(Event::new("go").with("n", 7.0));
    assert_eq!(play.again(), S);
}

#[test]
fn broadcast_writes_its_parameters_for_each_waiter() {
    let waits = |key: &str| told(key).extra("broadcast", true);
    let mut play = Play::new(parallel(2, 1, [waits("k"), waits("h")]));
    play.poll(0.0);
    play.runner.fire(Event::new("told").with("what", 7));
    assert_eq!(play.again(), S);
    assert_eq!(play.runner.blackboard().get("k"), 7);
    assert_eq!(play.runner.blackboard().get("h"), 7);
}

#[test]
fn latched_parameters_are_written_when_the_event_is_taken() {
    let waits = told("k").extra("latch", true);
    let mut play = Play::new(sequence([starts("a"), waits, starts("b")]));
    play.poll(0.0);
    play.runner.fire(Event::new("told").with("what", 7));
    play.again();
    assert!(!play.runner.blackboard().has("k"));
    play.end("a", true);
    play.again();
    assert_eq!(play.runner.blackboard().get("k"), 7);
}

#[test]
fn action_whose_key_is_missing_fails_and_the_agent_lives_on() {
    let mut play = Play::new(select([action("now").key("k"), starts("z")]));
    play.poll(0.0);
    assert_eq!(play.brief(), "+z");
    let all = play.diagnostics();
    assert!(all[0].contains("`k`") && all[0].contains("now"), "{all:?}");
}

#[test]
fn arguments_of_a_polled_action_are_taken_anew_at_every_call() {
    let mut play = Play::new(parallel(2, 1, [polled("p"), action("tells").key("k")]));
    play.on_call("p", |cx| {
        let number = cx.get("n").as_i64().unwrap_or(0) + 1;
        cx.set("n", number);
        cx.set("k", format!("line{number}"));
    });
    play.poll(0.0);
    play.again();
    assert_eq!(play.brief(), "+p tell line1 ~p tell line2");
}

#[test]
fn panic_is_the_nodes_failure_and_its_effects_run() {
    let mut play = Play::new(select([effects(panics("a"), "a"), now("z")]));
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.brief(), "a.enter +a a:F a.failure a.exit +z z:S");
    assert_eq!(play.diagnostics().len(), 1);
}

#[test]
fn panic_in_an_effect_is_a_diagnostic_and_no_result() {
    let mut play = Play::new(now("a").effect("enter", call("panics").arg("e")));
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.diagnostics().len(), 1);
    assert_eq!(play.brief(), "+e e:F +a a:S");
}

#[test]
fn probability_whose_weights_are_all_0_fails_with_a_diagnostic() {
    let main = of("probility", [now("a"), now("b")]).extra("prob", json!([0, 0]));
    let mut play = Play::new(main);
    assert_eq!(play.poll(0.0), F);
    assert_eq!(play.diagnostics().len(), 1);
    assert_eq!(play.brief(), "");
}

#[test]
fn composites_without_children_in_code_succeed_or_fail() {
    for (kind, result) in [
        ("sequence", S),
        ("memory_sequence", S),
        ("reactive_sequence", S),
        ("random_seq", S),
        ("always_seq", S),
        ("select", F),
        ("memory_select", F),
        ("reactive_select", F),
        ("random_select", F),
    ] {
        assert_eq!(Play::new(node(kind)).poll(0.0), result, "{kind}");
    }
}

//! Budgets, queues, wake times, and what is refused: the sentences with numbers in them.

use std::sync::{Arc, Mutex};

use bt_core::tree::asset::spec::{
    NodeSpec, action, node, parallel, reactive_select, select, sequence, sub_tree, wait_event,
};
use bt_core::{Completion, Event, Mode, TreeAsset};
use bt_tests::probe::{
    F, Play, R, S, guard_holds, guard_key, holds, now, of, polled, slow, starts, timed, times, wait,
};
use serde_json::json;

fn built(top: NodeSpec) -> Result<Play, String> {
    let tree = TreeAsset::build("main", "probe", top);
    Play::of([tree]).map_err(|error| error.to_string())
}

#[test]
fn budget_ends_the_poll_and_the_agent_continues_in_the_next() {
    let main = sequence([times("repeat", 25, now("a")), starts("z")]);
    let mut play = Play::new(main).with(|runner| runner.budget(10));
    let mut polls = 0;
    let mut log = String::new();
    while !log.ends_with("+z") {
        assert_eq!(play.again(), R);
        let entered = play.brief();
        assert!(entered.matches('+').count() <= 10, "{entered}");
        log += &entered;
        polls += 1;
        assert!(polls < 10, "{log}");
    }
    assert_eq!(log.matches("+a").count(), 25);
    assert!(!play.diagnostics().is_empty());
}

#[test]
fn events_behind_an_exceeded_budget_stay_queued_in_their_order() {
    let first = sequence([wait_event("go"), times("repeat", 12, now("a")), starts("y")]);
    let second = sequence([wait_event("told"), now("x"), starts("z")]);
    let mut play = Play::new(parallel(2, 1, [first, second])).with(|runner| runner.budget(10));
    play.poll(0.0);
    play.fire("go").fire("told").again();
    let log = play.brief();
    assert!(!log.contains("+x"), "{log}");
    play.again();
    let log = play.brief();
    assert!(log.ends_with("+y +x x:S +z"), "{log}");
}

#[test]
fn key_that_is_set_while_the_budget_is_exceeded_takes_over_before_the_walk_continues() {
    let x = starts("x").guard(guard_key("k").set("abort", "lower"));
    let main = select([x, times("repeat", 50, now("a"))]);
    let mut play = Play::new(main).with(|runner| runner.budget(10));
    play.poll(0.0);
    play.brief();
    play.set("k", true).again();
    assert_eq!(play.brief(), "+x");
}

#[test]
fn stop_while_the_budget_is_exceeded_enters_nothing_more() {
    let main = parallel(2, 1, [starts("b"), times("repeat", 50, now("a"))]);
    let mut play = Play::new(main).with(|runner| runner.budget(10));
    play.poll(0.0);
    play.brief();
    play.stop();
    play.again();
    assert_eq!(play.brief(), "b:A");
}

#[test]
fn instant_loop_never_exceeds_the_budget() {
    let main = times("repeat", -1, times("loop", -1, now("a")));
    let mut play = Play::new(main).with(|runner| runner.budget(10));
    for _ in 0..5 {
        assert_eq!(play.again(), R);
        assert_eq!(play.brief(), "+a a:S");
    }
    assert!(play.diagnostics().is_empty());
}

#[test]
fn queue_refuses_what_is_beyond_its_limit_with_a_diagnostic() {
    let main = times("repeat", 1025, wait_event("go"));
    let mut play = Play::new(main);
    play.poll(0.0);
    for _ in 0..1025 {
        play.fire("go");
    }
    assert_eq!(play.again(), R);
    assert_eq!(play.diagnostics().len(), 1);
    assert_eq!(play.fire("go").again(), S);
    let main = sequence(["a", "b", "c"].map(|name| sequence([wait_event("go"), now(name)])));
    let mut play = Play::new(main).with(|runner| runner.queue_limit(2));
    play.poll(0.0);
    play.fire("go").fire("go").fire("go").again();
    assert_eq!(play.brief(), "+a a:S +b b:S");
    assert_eq!(play.diagnostics().len(), 1);
}

#[test]
fn agent_asks_to_be_woken_for_the_earliest_of_what_is_due() {
    let main = parallel(
        3,
        1,
        [
            wait(3.0),
            timed("timeout", 2.0, starts("a")),
            starts("b").service(5.0, bt_core::tree::asset::spec::call("note").arg("s")),
        ],
    );
    let mut play = Play::new(main);
    play.poll(0.0);
    assert_eq!(play.wake(), Some(2.0));
    play.end("a", true);
    play.poll(1.0);
    assert_eq!(play.wake(), Some(3.0));
    play.poll(3.0);
    assert_eq!(play.wake(), Some(5.0));
}

#[test]
fn agent_that_only_waits_for_an_event_asks_for_no_wake() {
    let mut play = Play::new(wait_event("go"));
    play.poll(0.0);
    assert_eq!(play.wake(), None);
    play.runner.pause();
    play.poll(1.0);
    assert_eq!(play.wake(), None);
}

#[test]
fn clock_that_goes_back_counts_as_unchanged() {
    let mut play = Play::new(sequence([
        wait(0.75),
        now("x"),
        starts("a"),
        wait(0.5),
        now("y"),
    ]));
    play.poll(0.0);
    play.poll(0.5);
    play.poll(0.25);
    assert_eq!(play.poll(0.5), R);
    assert_eq!(play.poll(0.75), R);
    assert_eq!(play.brief(), "+x x:S +a");
    play.end("a", true);
    // Unchanged: the wait counts from 0.75.
    play.poll(0.25);
    assert_eq!(play.poll(1.0), R);
    assert_eq!(play.poll(1.25), S);
}

#[test]
fn what_the_text_calls_a_load_error_is_refused() {
    let any = || now("a");
    let three = || [any(), any(), any()];
    let refused = [
        ("timeout of 0", timed("timeout", 0.0, any())),
        ("timeout below 0", timed("timeout", -1.0, any())),
        (
            "service of 0",
            any().service(0.0, bt_core::tree::asset::spec::call("note").arg("s")),
        ),
        ("success of 0", parallel(0, 1, three())),
        ("success above the count", parallel(4, 1, three())),
        ("failure above the count", parallel(1, 4, three())),
        ("failure of 0", parallel(1, 0, three())),
        ("rerun alone", of("parallel", three()).extra("rerun", true)),
        (
            "too few weights",
            of("probility", three()).extra("prob", json!([1, 2])),
        ),
        (
            "weight below 0",
            of("probility", three()).extra("prob", json!([1, 2, -1])),
        ),
        (
            "weight that is no number",
            of("probility", three()).extra("prob", json!([1, 2, "3"])),
        ),
        (
            "two children of a decorator",
            of("negative", [any(), any()]),
        ),
        ("no child of a decorator", node("once")),
        (
            "lower below a sequence",
            sequence([any().guard(guard_holds("f").set("abort", "lower"))]),
        ),
        (
            "both below a parallel",
            parallel(1, 1, [any().guard(guard_holds("f").set("abort", "both"))]),
        ),
        (
            "lower below a reactive_select",
            reactive_select([any().guard(guard_holds("f").set("abort", "lower")), any()]),
        ),
        ("unknown action", action("nobody")),
        ("too many arguments", any().arg(1)),
        ("argument that does not decode", action("now").arg(7)),
        ("negative wait", wait(-1.0)),
        ("negative frames", action("wait_frames").arg(-1)),
        ("missing tree", sub_tree("nowhere")),
        ("running child of and", of("and", [starts("a"), holds("f")])),
    ];
    for (what, top) in refused {
        assert!(built(top).is_err(), "{what}");
    }
}

#[test]
fn mistakes_of_one_tree_are_listed_together() {
    let main = sequence([
        action("nobody"),
        now("a").arg(7),
        timed("timeout", 0.0, now("b")),
        sub_tree("nowhere"),
    ]);
    let error = built(main).map(|_| ()).unwrap_err();
    for part in ["nobody", "2 given", "seconds", "nowhere"] {
        assert!(error.contains(part), "{part} in {error}");
    }
}

#[test]
fn guards_of_lower_are_accepted_below_selects() {
    for kind in ["select", "memory_select"] {
        let a = now("a").guard(guard_holds("f").set("abort", "lower"));
        assert!(built(of(kind, [a, now("b")])).is_ok(), "{kind}");
    }
}

#[test]
fn event_that_no_agent_registers_is_no_error() {
    let taken = json!([{"event": "unheard", "tree": "main", "mode": "return"}]);
    assert!(built(starts("a").extra("events", taken)).is_ok());
}

#[test]
fn run_that_ended_drops_what_is_fired_until_the_next_start() {
    let mut play = Play::new(sequence([wait_event("go"), now("x")]));
    play.poll(0.0);
    assert_eq!(play.fire("go").again(), S);
    play.fire("go");
    play.runner.start();
    assert_eq!(play.again(), R);
    assert_eq!(play.fire("go").again(), S);
}

#[test]
fn event_that_is_fired_before_the_first_poll_is_delivered_after_the_first_pass() {
    let mut play = Play::new(sequence([now("a"), wait_event("go"), now("x")]));
    play.fire("go");
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.brief(), "+a a:S +x x:S");
}

#[test]
fn result_of_a_run_in_mode_once_is_kept() {
    let mut play = Play::new(now("a"));
    play.reply("a", [F]);
    assert_eq!(play.polls(), [F, F, F]);
    assert_eq!(play.brief(), "+a a:F");
}

#[test]
fn late_completion_is_ignored_and_a_second_answer_too() {
    let mut play = Play::new(times("retry", 2, timed("timeout", 1.0, starts("a"))));
    play.poll(0.0);
    play.poll(1.0);
    play.end_call("a", 0, true);
    assert_eq!(play.again(), R);
    assert!(play.end_call("a", 1, true));
    assert!(!play.end_call("a", 1, false));
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+a a:A +a a:S");
}

#[test]
fn completion_that_another_action_finishes_is_delivered_in_the_same_poll_after_the_pass() {
    let kept = Arc::new(Mutex::new(None));
    let finishes = sequence([polled("r"), now("f"), now("c")]);
    let main = parallel(2, 1, [sequence([starts("a"), now("b")]), finishes]);
    let mut play = Play::new(main);
    play.reply("r", [R, S]);
    let keep = kept.clone();
    play.on_call("a", move |cx| *keep.lock().unwrap() = Some(cx.completion()));
    play.on_call("f", move |_| {
        let a: Option<Completion> = kept.lock().unwrap().take();
        a.unwrap().finish(true);
    });
    play.poll(0.0);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+a +r ~r r:S +f f:S +c c:S a:S +b b:S");
}

#[test]
fn completion_that_its_own_call_finishes_is_delivered_in_the_same_poll_after_the_pass() {
    let mut play = Play::new(parallel(
        2,
        1,
        [sequence([starts("a"), now("b")]), now("c")],
    ));
    // The leaf asks for its completion again afterwards.
    play.on_call("a", |cx| assert!(cx.completion().finish(true)));
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.brief(), "+a +c c:S a:S +b b:S");
    assert!(!play.end("a", false));
}

#[test]
fn stop_start_pause_and_resume_work_from_any_state() {
    let mut play =
        Play::new(parallel(2, 2, [slow("a"), polled("p")])).with(|runner| runner.mode(Mode::Loop));
    play.runner.resume();
    play.runner.start();
    play.poll(0.0);
    play.runner.start();
    play.runner.pause();
    play.runner.pause();
    assert_eq!(play.again(), R);
    play.runner.resume();
    play.again();
    assert_eq!(play.brief(), "+a +p ~p");
    play.stop().stop();
    assert_eq!(play.brief(), "p:A a:A");
    play.end("a", true);
    play.polls::<2>();
    assert_eq!(play.brief(), "a:gone");
    play.stop();
    play.runner.start();
    play.again();
    assert_eq!(play.brief(), "+a +p");
}

#[test]
fn guard_that_a_key_of_an_event_changes_reacts_in_the_turn_after_all_deliveries() {
    let told = wait_event("told").extra("params", json!({"what": "k"}));
    let body = sequence([told, wait_event("go"), now("x"), starts("y")]);
    let a = starts("a").guard(guard_key("k").set("abort", "lower"));
    let mut play = Play::new(select([a, body]));
    play.poll(0.0);
    play.runner.fire(Event::new("told").with("what", true));
    play.fire("go").again();
    assert_eq!(play.brief(), "+x x:S +y y:A +a");
}

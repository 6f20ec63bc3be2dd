//! Tests of requests and their order: effects, services, exits, the tree and the host.

use bt_core::Event;
use bt_core::tree::asset::spec::{
    Call, NodeSpec, call, node, parallel, reactive_sequence, select, sequence, sub_tree, wait_event,
};
use bt_tests::probe::{F, Play, R, S, guard_key, now, of, polled, slow, starts, timed, times};

/// An effect, or a service, that does what is done within the calls of `l`.
fn asks() -> Call {
    call("now").arg("l")
}

fn note(line: &str) -> Call {
    call("note").arg(line)
}

fn played(main: NodeSpec) -> Play {
    let third = sequence([wait_event("go"), now("t")]);
    Play::trees([("main", main), ("other", starts("o")), ("third", third)])
}

fn loads(play: &mut Play, tree: &'static str) {
    play.on_call("l", move |cx| cx.load(tree));
}

#[test]
fn load_of_an_enter_effect_acts_before_the_child_is_entered() {
    let main = sequence([now("a")])
        .effect("enter", asks())
        .effect("exit", note("exit"));
    let mut play = played(main);
    loads(&mut play, "other");
    play.poll(0.0);
    assert_eq!(play.brief(), "+l l:S exit +o");
}

#[test]
fn load_of_an_exit_effect_acts_before_the_parent_continues() {
    let main = sequence([now("a").effect("exit", asks()), now("b")]);
    let mut play = played(main);
    loads(&mut play, "other");
    play.poll(0.0);
    assert_eq!(play.brief(), "+a a:S +l l:S +o");
}

#[test]
fn load_of_a_success_effect_lets_the_exit_effect_run() {
    let a = now("a")
        .effect("success", asks())
        .effect("exit", note("exit"));
    let mut play = played(sequence([a, now("b")]));
    loads(&mut play, "other");
    play.poll(0.0);
    assert_eq!(play.brief(), "+a a:S +l l:S exit +o");
}

#[test]
fn load_of_a_service_acts_when_it_returns() {
    let mut play = played(sequence([now("a")]).service(1.0, asks()));
    loads(&mut play, "other");
    play.poll(0.0);
    assert_eq!(play.brief(), "+l l:S +o");
    let mut play = played(parallel(
        2,
        1,
        [starts("a").service(1.0, asks()), polled("p")],
    ));
    play.poll(0.0);
    loads(&mut play, "other");
    play.poll(1.0);
    assert_eq!(play.brief(), "+l l:S +a +p +l l:S p:A a:A +o");
}

#[test]
fn request_of_an_exit_counts_over_the_trees_own_before_it() {
    let b = sequence([starts("b")]).effect("exit", asks());
    let moves = sequence([starts("s"), sub_tree("other").extra("mode", "transfer")]);
    let mut play = played(parallel(2, 1, [b, moves]));
    loads(&mut play, "third");
    play.poll(0.0);
    play.end("s", true);
    play.again();
    assert_eq!(play.brief(), "+b +s s:S b:A +l l:S");
    assert_eq!(play.fire("go").again(), S);
    assert_eq!(play.brief(), "+t t:S");
}

#[test]
fn load_of_the_host_counts_over_the_request_of_an_exit_that_it_led_to() {
    let mut play = played(sequence([starts("b")]).effect("exit", asks()));
    loads(&mut play, "third");
    play.poll(0.0);
    play.runner.load("other").unwrap();
    play.again();
    assert_eq!(play.brief(), "+b b:A +l l:S +o");
}

#[test]
fn stop_of_the_host_counts_over_the_request_of_an_exit_that_it_led_to() {
    let mut play = played(sequence([starts("b")]).effect("exit", asks()));
    loads(&mut play, "third");
    play.poll(0.0);
    play.stop();
    play.polls::<2>();
    assert_eq!(play.brief(), "+b b:A +l l:S");
    assert!(!play.runner.is_running());
    play.runner.start();
    play.again();
    assert_eq!(play.brief(), "+b");
}

#[test]
fn event_that_an_exit_fires_in_a_stop_is_dropped() {
    let mut play = played(sequence([wait_event("go"), now("x")]).effect("exit", asks()));
    play.on_call("l", |cx| cx.fire(Event::new("go")));
    play.poll(0.0);
    play.stop();
    play.runner.start();
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+l l:S");
}

#[test]
fn event_that_an_exit_fires_in_a_load_reaches_the_new_tree() {
    let mut play = played(sequence([starts("a")]).effect("exit", asks()));
    play.on_call("l", |cx| cx.fire(Event::new("go")));
    play.poll(0.0);
    play.runner.load("third").unwrap();
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+a a:A +l l:S +t t:S");
}

#[test]
fn reset_of_an_exit_that_a_takeover_leads_to_enters_nothing() {
    let x = starts("x").guard(guard_key("k").set("abort", "lower"));
    let b = sequence([starts("b")]).effect("exit", asks());
    let mut play = played(select([x, b]));
    play.on_call("l", |cx| cx.reset());
    play.poll(0.0);
    assert_eq!(play.set("k", true).again(), R);
    assert_eq!(play.brief(), "+b b:A +l l:S");
    play.again();
    // The blackboard is cleared.
    assert_eq!(play.brief(), "+b");
}

#[test]
fn stop_of_an_exit_that_a_deadline_leads_to_enters_nothing() {
    let b = sequence([starts("b")]).effect("exit", asks());
    let mut play = played(select([timed("timeout", 1.0, b), starts("z")]));
    play.on_call("l", |cx| cx.stop());
    play.poll(0.0);
    play.poll(1.0);
    assert_eq!(play.brief(), "+b b:A +l l:S");
    assert!(!play.runner.is_running());
}

#[test]
fn request_of_a_reactive_child_aborts_the_running_one_and_enters_nothing() {
    let mut play = played(reactive_sequence([now("l"), starts("b"), starts("c")]));
    let mut calls = 0;
    play.on_call("l", move |cx| {
        calls += 1;
        if calls == 2 {
            cx.load("other");
        }
    });
    play.poll(0.0);
    play.again();
    assert_eq!(play.brief(), "+l l:S +b +l l:S b:A +o");
}

#[test]
fn request_of_a_child_of_a_rerun_parallel_calls_no_further_child() {
    let main = parallel(3, 3, [now("l"), polled("p"), now("q")]).extra("rerun", true);
    let mut play = played(main);
    let mut calls = 0;
    play.on_call("l", move |cx| {
        calls += 1;
        if calls == 2 {
            cx.load("other");
        }
    });
    play.poll(0.0);
    play.again();
    assert_eq!(play.brief(), "+l l:S +p +q q:S +l l:S p:A +o");
}

#[test]
fn request_of_a_child_of_any_finish_is_carried_out_though_another_ended() {
    let mut play = played(of("parallel", [now("a"), now("l"), now("b")]));
    loads(&mut play, "other");
    play.poll(0.0);
    assert_eq!(play.brief(), "+a a:S +l l:S +o");
}

#[test]
fn request_at_a_deadline_outranks_the_deadline() {
    let main = select([timed("timeout", 1.0, polled("l")), starts("z")]);
    let mut play = played(main);
    let mut calls = 0;
    play.on_call("l", move |cx| {
        calls += 1;
        if calls == 2 {
            cx.load("other");
        }
    });
    play.poll(0.0);
    play.poll(1.0);
    assert_eq!(play.brief(), "+l ~l l:A +o");
}

#[test]
fn request_of_a_retry_ends_its_attempts() {
    let mut play = played(times("retry", 5, now("l")));
    play.always("l", F);
    loads(&mut play, "other");
    play.poll(0.0);
    assert_eq!(play.brief(), "+l l:F +o");
}

#[test]
fn request_of_a_slow_leaf_that_returns_nothing_aborts_it() {
    let mut play = played(sequence([slow("a"), now("b")]));
    play.on_call("a", |cx| cx.load("other"));
    play.poll(0.0);
    assert_eq!(play.brief(), "+a a:A");
    play.end("a", true);
    play.again();
    assert_eq!(play.brief(), "a:gone +o");
}

#[test]
fn load_of_an_unknown_tree_is_a_diagnostic_and_the_tree_continues() {
    let mut play = played(sequence([now("l"), starts("b")]));
    loads(&mut play, "nowhere");
    play.poll(0.0);
    assert_eq!(play.brief(), "+l l:S +b");
    assert_eq!(play.diagnostics().len(), 1);
}

#[test]
fn reset_of_the_host_in_the_poll_of_a_stop_of_the_tree_counts() {
    // The tree's own stop waits for what cancels; the host's reset comes later, and outranks it.
    let mut play = played(parallel(
        2,
        1,
        [slow("a"), sequence([starts("s"), now("l")])],
    ));
    play.on_call("l", |cx| cx.stop());
    play.poll(0.0);
    play.end("s", true);
    play.again();
    play.runner.reset();
    play.end("a", true);
    play.polls::<2>();
    assert_eq!(play.brief(), "+a +s s:S +l l:S a:A a:gone +a +s");
}

#[test]
fn tree_that_was_loaded_and_ends_at_once_in_mode_loop_begins_again_in_the_next_poll() {
    let main = sequence([starts("s"), now("l")]);
    let trees = [("main", main), ("other", now("o"))];
    let mut play = Play::trees(trees).looping();
    loads(&mut play, "other");
    play.poll(0.0);
    play.end("s", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+s s:S +l l:S +o o:S");
    play.again();
    assert_eq!(play.brief(), "+o o:S");
}

#[test]
fn two_trees_that_load_each_other_share_one_budget() {
    let trees = [("main", now("l")), ("other", now("m"))];
    let mut play = Play::trees(trees).with(|runner| runner.budget(20));
    play.on_call("l", |cx| cx.load("other"));
    play.on_call("m", |cx| cx.load("main"));
    assert_eq!(play.poll(0.0), R);
    let log = play.brief();
    assert!(log.matches('+').count() <= 20, "{log}");
    assert!(!play.diagnostics().is_empty());
    assert_eq!(play.again(), R);
    assert!(!play.brief().is_empty());
}

#[test]
fn reset_node_in_a_looping_tree_restarts_once_a_poll() {
    let mut play = played(sequence([now("a"), node("reset")])).looping();
    for _ in 0..3 {
        assert_eq!(play.again(), R);
        assert_eq!(play.brief(), "+a a:S");
    }
}

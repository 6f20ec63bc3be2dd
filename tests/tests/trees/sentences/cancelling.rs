//! Chapter "Leaving": what takes several polls to cancel, and who waits for it.

use bt_core::tree::asset::spec::{
    NodeSpec, call, node, parallel, reactive_select, reactive_sequence, select, sequence, sub_tree,
    wait_event,
};
use bt_tests::probe::{
    F, Play, R, S, guard_holds, guard_key, holds, now, of, polled, slow, starts, timed, times, wait,
};

fn lower(key: &str) -> bt_core::tree::asset::spec::Call {
    guard_key(key).set("abort", "lower")
}

fn own(key: &str) -> bt_core::tree::asset::spec::Call {
    guard_key(key).set("abort", "self")
}

fn any_finish<const N: usize>(children: [NodeSpec; N]) -> NodeSpec {
    of("parallel", children)
}

/// Ends a leaf, polls, and says how that left the tree and what happened.
fn ended(play: &mut Play, leaf: &str) -> (bt_core::Status, String) {
    play.brief();
    play.end(leaf, true);
    (play.again(), play.brief())
}

fn is(status: bt_core::Status, log: &str) -> (bt_core::Status, String) {
    (status, log.to_owned())
}

#[test]
fn timeout_fails_when_its_child_is_gone() {
    let mut play = Play::new(timed("timeout", 1.0, slow("a")));
    play.poll(0.0);
    assert_eq!(play.poll(1.0), R);
    assert_eq!(play.brief(), "+a a:A");
    assert_eq!(ended(&mut play, "a"), is(F, "a:gone"));
}

#[test]
fn aborts_of_siblings_do_not_wait_for_one_another() {
    for order in [["a", "b"], ["b", "a"]] {
        let main = parallel(1, 1, [slow("a"), starts("w"), slow("b")]);
        let mut play = Play::new(sequence([main, now("z")]));
        play.poll(0.0);
        assert_eq!(ended(&mut play, "w"), is(R, "w:S b:A a:A"));
        let [first, second] = order;
        assert_eq!(ended(&mut play, first), is(R, &format!("{first}:gone")));
        let last = format!("{second}:gone +z z:S");
        assert_eq!(ended(&mut play, second), is(S, &last));
    }
}

#[test]
fn abort_of_a_cancelling_parallel_waits_for_the_same_exits() {
    let lost = parallel(1, 1, [slow("a"), starts("w")]);
    let mut play = Play::new(reactive_select([holds("f"), lost]));
    play.poll(0.0);
    assert_eq!(play.brief(), "?f +a +w");
    assert_eq!(ended(&mut play, "w"), is(R, "w:S a:A ?f"));
    play.flag("f", true);
    assert_eq!(play.again(), R);
    play.flag("f", false);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "?f");
    assert_eq!(ended(&mut play, "a"), is(S, "a:gone"));
}

#[test]
fn reactive_sequence_that_decided_stays_decided_while_its_child_cancels() {
    let mut play = Play::new(reactive_sequence([holds("f"), slow("a")]));
    play.flag("f", true).poll(0.0);
    play.flag("f", false).again();
    play.flag("f", true).again();
    assert_eq!(play.brief(), "?f +a ?f a:A");
    assert_eq!(ended(&mut play, "a"), is(F, "a:gone"));
}

#[test]
fn exit_effects_of_an_aborted_node_run_when_its_child_is_gone() {
    let note = |line: &str| call("note").arg(line);
    let body = sequence([slow("a")])
        .effect("failure", note("failure"))
        .effect("success", note("success"))
        .effect("exit", note("exit"));
    let mut play = Play::new(timed("timeout", 1.0, body));
    play.poll(0.0);
    play.poll(1.0);
    assert_eq!(play.brief(), "+a a:A");
    assert_eq!(ended(&mut play, "a"), is(F, "a:gone failure exit"));
}

#[test]
fn exits_of_siblings_run_in_reverse_order_though_the_last_is_slow() {
    let note = |line: &str| call("note").arg(line);
    let first = sequence([starts("x")]).effect("exit", note("first"));
    let last = sequence([slow("a")]).effect("exit", note("last"));
    let mut play = Play::new(timed("timeout", 1.0, parallel(2, 2, [first, last])));
    play.poll(0.0);
    play.poll(1.0);
    assert_eq!(play.brief(), "+x +a a:A x:A first");
    assert_eq!(ended(&mut play, "a"), is(F, "a:gone last"));
}

#[test]
fn stop_while_a_part_cancels_aborts_that_once() {
    let mut play = Play::new(parallel(
        2,
        2,
        [timed("timeout", 1.0, slow("a")), starts("b")],
    ));
    play.poll(0.0);
    play.poll(1.0);
    assert_eq!(play.brief(), "+a +b a:A");
    play.stop();
    assert_eq!(play.brief(), "b:A");
    assert!(play.runner.is_running());
    ended(&mut play, "a");
    assert!(!play.runner.is_running());
}

#[test]
fn natural_end_of_a_slow_leaf_is_no_cancelling() {
    let mut play = Play::new(sequence([slow("a"), now("b")]));
    play.poll(0.0);
    assert_eq!(ended(&mut play, "a"), is(S, "a:S +b b:S"));
}

#[test]
fn reset_leaf_waits_for_what_cancels_and_restarts_in_the_next_poll() {
    let body = sequence([starts("s"), node("reset")]);
    let mut play = Play::new(parallel(2, 1, [slow("a"), body]));
    play.poll(0.0);
    play.brief();
    assert_eq!(ended(&mut play, "s"), is(R, "s:S a:A"));
    assert_eq!(ended(&mut play, "a"), is(R, "a:gone"));
    play.again();
    assert_eq!(play.brief(), "+a +s");
}

#[test]
fn frames_succeed_when_their_child_is_gone() {
    let mut play = Play::new(times("frames", 2, slow("a")));
    play.poll(0.0);
    assert_eq!(play.again(), R);
    assert_eq!(play.polls(), [R, R]);
    assert_eq!(play.brief(), "+a a:A");
    assert_eq!(ended(&mut play, "a"), is(S, "a:gone"));
}

#[test]
fn any_finish_keeps_the_result_of_its_pass_while_a_loser_cancels() {
    let main = any_finish([polled("p"), slow("a"), polled("q")]);
    let mut play = Play::new(of("negative", [main]));
    play.reply("p", [R, S]);
    play.reply("q", [R, F]);
    play.poll(0.0);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+p +a +q ~p p:S ~q q:F a:A");
    assert_eq!(ended(&mut play, "a"), is(S, "a:gone"));
}

#[test]
fn next_iteration_begins_when_the_losers_are_gone() {
    let body = parallel(1, 1, [slow("a"), starts("w")]);
    let mut play = Play::new(times("repeat", 2, body));
    play.poll(0.0);
    assert_eq!(ended(&mut play, "w"), is(R, "w:S a:A"));
    assert_eq!(ended(&mut play, "a"), is(R, "a:gone +a +w"));
    assert_eq!(ended(&mut play, "w"), is(R, "w:S a:A"));
    assert_eq!(ended(&mut play, "a"), is(S, "a:gone"));
}

#[test]
fn end_ends_its_tree_when_its_siblings_are_gone() {
    let ends = node("end").extra("status", "success");
    let other = parallel(2, 1, [slow("a"), sequence([starts("s"), ends])]);
    let main = sequence([sub_tree("other"), now("z")]);
    let mut play = Play::trees([("main", main), ("other", other)]);
    play.poll(0.0);
    assert_eq!(ended(&mut play, "s"), is(R, "s:S a:A"));
    assert_eq!(ended(&mut play, "a"), is(S, "a:gone +z z:S"));
}

#[test]
fn transfer_starts_the_other_tree_in_the_poll_in_which_the_last_is_gone() {
    let body = sequence([starts("s"), sub_tree("other").extra("mode", "transfer")]);
    let main = parallel(2, 1, [slow("a"), slow("b"), body]);
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.poll(0.0);
    assert_eq!(ended(&mut play, "s"), is(R, "s:S b:A a:A"));
    assert_eq!(ended(&mut play, "a"), is(R, "a:gone"));
    assert_eq!(ended(&mut play, "b"), is(R, "b:gone +o"));
}

#[test]
fn cooldown_starts_when_the_losers_of_its_child_are_gone() {
    let body = parallel(1, 1, [slow("a"), starts("w")]);
    let mut play = Play::new(select([timed("cooldown", 4.0, body), now("z")])).looping();
    play.poll(0.0);
    play.end("w", true);
    play.poll(1.0);
    play.end("a", true);
    play.poll(2.0);
    assert_eq!(play.brief(), "+a +w w:S a:A a:gone +z z:S");
    play.poll(5.5);
    assert_eq!(play.brief(), "+z z:S");
    play.poll(6.0);
    assert_eq!(play.brief(), "+a +w");
}

#[test]
fn deadline_passes_over_a_parallel_that_is_cancelling_already() {
    let body = of("always_true", [parallel(1, 1, [slow("a"), starts("w")])]);
    let mut play = Play::new(timed("timeout", 1.0, body));
    play.poll(0.0);
    play.end("w", true);
    play.poll(0.5);
    assert_eq!(play.poll(1.0), R);
    assert_eq!(play.brief(), "+a +w w:S a:A");
    assert_eq!(ended(&mut play, "a"), is(F, "a:gone"));
}

#[test]
fn once_remembers_the_result_when_the_losers_are_gone() {
    let body = parallel(1, 1, [slow("a"), starts("w")]);
    let mut play = Play::new(times("repeat", 2, of("once", [body])));
    play.poll(0.0);
    assert_eq!(ended(&mut play, "w"), is(R, "w:S a:A"));
    assert_eq!(ended(&mut play, "a"), is(S, "a:gone"));
}

#[test]
fn closed_select_does_not_observe_its_lower_guards() {
    let x = starts("x").guard(guard_holds("f").set("abort", "lower"));
    let b = slow("b").guard(own("k"));
    let mut play = Play::new(select([x, b, starts("c")]));
    play.set("k", true).poll(0.0);
    play.set("k", false).again();
    assert_eq!(play.brief(), "?f +b b:A");
    play.flag("f", true).again();
    assert_eq!(play.brief(), "");
    assert_eq!(ended(&mut play, "b"), is(R, "b:gone +c ?f c:A +x"));
}

#[test]
fn child_whose_own_guard_was_false_fails_though_that_holds_again_when_it_is_gone() {
    let mut play = Play::new(select([slow("b").guard(own("k")), starts("c")]));
    play.set("k", true).poll(0.0);
    play.set("k", false).again();
    play.set("k", true).again();
    assert_eq!(ended(&mut play, "b"), is(R, "b:gone +c"));
}

#[test]
fn closed_parallel_does_not_stop_its_siblings_elsewhere() {
    let closed = parallel(2, 2, [slow("a").guard(own("k")), polled("p")]);
    let main = parallel(2, 2, [closed, polled("q")]);
    let mut play = Play::new(main);
    play.set("k", true).poll(0.0);
    play.set("k", false).again();
    assert_eq!(play.brief(), "+a +p +q a:A ~q");
    play.again();
    assert_eq!(play.brief(), "~q");
    assert_eq!(ended(&mut play, "a"), is(R, "a:gone ~p ~q"));
}

#[test]
fn takeover_during_the_cancelling_of_an_outer_takeover_is_no_second_abort() {
    let inner = select([starts("y").guard(lower("h")), slow("b")]);
    let mut play = Play::new(select([starts("x").guard(lower("k")), inner]));
    play.poll(0.0);
    play.set("h", true).again();
    assert_eq!(play.brief(), "+b b:A");
    play.set("k", true).again();
    assert_eq!(play.brief(), "");
    assert_eq!(ended(&mut play, "b"), is(R, "b:gone +x"));
}

#[test]
fn events_wait_behind_the_waiter_of_a_closed_parent_and_none_is_lost() {
    let closed = parallel(
        2,
        2,
        [
            slow("a").guard(own("k")),
            sequence([wait_event("go"), now("c")]),
        ],
    );
    let other = sequence([wait_event("go"), now("d")]);
    let mut play = Play::new(parallel(2, 2, [closed, other]));
    play.set("k", true).poll(0.0);
    play.set("k", false).again();
    play.fire("go").again();
    play.fire("go").again();
    assert_eq!(play.brief(), "+a a:A");
    assert_eq!(ended(&mut play, "a"), is(F, "a:gone +c c:S +d d:S"));
}

#[test]
fn wait_below_a_closed_node_ends_when_that_opens_and_the_next_counts_from_there() {
    let closed = [
        slow("a").guard(own("k")),
        sequence([wait(1.0), wait(1.0), now("c")]),
    ];
    let mut play = Play::new(parallel(2, 2, closed));
    play.set("k", true).poll(0.0);
    play.set("k", false).poll(0.5);
    play.poll(2.0);
    play.end("a", true);
    play.poll(3.0);
    play.poll(3.5);
    assert_eq!(play.brief(), "+a a:A a:gone");
    play.poll(4.0);
    assert_eq!(play.brief(), "+c c:S");
}

#[test]
fn stop_waits_for_all_and_a_start_meanwhile_begins_after_it() {
    let mut play = Play::new(parallel(2, 2, [slow("a"), slow("b")]));
    play.poll(0.0);
    play.stop();
    play.runner.start();
    play.again();
    assert_eq!(play.brief(), "+a +b b:A a:A");
    ended(&mut play, "a");
    play.end("b", true);
    play.polls::<2>();
    assert_eq!(play.brief(), "b:gone +a +b");
}

#[test]
fn load_that_replaces_a_load_while_it_cancels_counts() {
    let mut play = Play::trees([
        ("main", slow("a")),
        ("other", starts("o")),
        ("third", starts("t")),
    ]);
    play.poll(0.0);
    play.runner.load("other").unwrap();
    play.again();
    play.runner.load("third").unwrap();
    play.again();
    assert_eq!(ended(&mut play, "a"), is(R, "a:gone +t"));
}

#[test]
fn reset_of_the_host_outranks_a_load_of_the_tree_while_that_cancels() {
    let body = sequence([starts("s"), now("l")]);
    let main = parallel(2, 1, [slow("a"), body]);
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.on_call("l", |cx| cx.load("other"));
    play.poll(0.0);
    assert_eq!(ended(&mut play, "s"), is(R, "s:S +l l:S a:A"));
    play.runner.reset();
    play.again();
    ended(&mut play, "a");
    play.again();
    assert!(play.active().len() == 2, "{:?}", play.active());
}

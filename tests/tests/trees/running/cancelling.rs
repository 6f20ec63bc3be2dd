//! Actions that take their time to cancel: their parent waits for that, and nothing new is entered
//! there before it ends.

use bt_core::tree::asset::spec::{
    NodeSpec, node, parallel, reactive_select, reactive_sequence, select, sequence, sub_tree,
};
use bt_core::{LeafState, Runner, Saved};
use bt_tests::probe::{
    F, Play, R, Reply, S, guard_key, holds, key_true, now, of, paired, polled, slow, starts, timed,
    wait,
};

use super::{aborts, takes};

/// A slow leaf below another node.
fn slow_in(name: &str) -> NodeSpec {
    paired(&format!("n{name}"), sequence([slow(name)]))
}

/// Nothing happens until `b` has gone; then this does.
fn gone_then(play: &mut Play, expect: &str) {
    play.polls::<2>();
    assert_eq!(play.brief(), "", "while it is cancelling");
    play.end("b", true);
    play.again();
    assert_eq!(play.brief(), expect);
}

#[test]
fn the_loser_of_a_parallel_is_waited_for() {
    let main = sequence([parallel(1, 2, [slow_in("b"), starts("w")]), starts("z")]);
    let mut play = Play::new(main);
    play.poll(0.0);
    play.end("w", true);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+nb +b +w w:S b:A");
    let states: Vec<_> = play
        .runner
        .active_leaves()
        .iter()
        .map(|leaf| leaf.state)
        .collect();
    assert_eq!(states, [LeafState::Cancelling]);
    gone_then(&mut play, "b:gone -nb +z");
}

#[test]
fn several_losers_are_cancelled_at_once_and_all_waited_for() {
    let main = parallel(1, 3, [slow("a"), slow("b"), slow("c"), starts("w")]);
    let mut play = Play::new(sequence([main, now("z")]));
    play.poll(0.0);
    play.end("w", true);
    play.again();
    assert_eq!(play.brief(), "+a +b +c +w w:S c:A b:A a:A");
    for (leaf, expect) in [("a", "a:gone"), ("c", "c:gone"), ("b", "b:gone +z z:S")] {
        play.end(leaf, false);
        play.again();
        assert_eq!(play.brief(), expect);
    }
    assert_eq!(play.runner.result(), Some(true));
}

#[test]
fn timeout_fails_once_its_child_has_exited() {
    let main = select([timed("timeout", 2.0, slow_in("b")), starts("z")]);
    let mut play = Play::new(main);
    play.poll(0.0);
    assert_eq!(play.poll(2.0), R);
    assert_eq!(play.brief(), "+nb +b b:A");
    gone_then(&mut play, "b:gone -nb +z");
}

#[test]
fn a_reactive_takeover_waits_for_the_loser() {
    let main = of("reactive_select", [key_true("k"), slow_in("b")]);
    let mut play = Play::new(sequence([main, starts("z")]));
    play.poll(0.0);
    play.set("k", true).again();
    assert_eq!(play.brief(), "+nb +b b:A");
    gone_then(&mut play, "b:gone -nb +z");
}

#[test]
fn a_condition_that_turns_back_while_a_takeover_waits_changes_nothing() {
    let main = of("reactive_select", [holds("k"), slow_in("b")]);
    let mut play = Play::new(sequence([main, starts("z")]));
    play.poll(0.0);
    play.flag("k", true).again();
    assert_eq!(play.brief(), "?k +nb +b ?k b:A");
    play.flag("k", false);
    gone_then(&mut play, "b:gone -nb +z");
}

#[test]
fn guards_wait_too() {
    let own = slow_in("b").guard(aborts(guard_key("k"), "self"));
    let mut play = Play::new(select([own, starts("z")]));
    play.set("k", true).poll(0.0);
    play.set("k", false).again();
    assert_eq!(play.brief(), "+nb +b b:A");
    play.set("k", true);
    gone_then(&mut play, "b:gone -nb +z");
    let lower = starts("z").guard(aborts(guard_key("k"), "lower"));
    let mut play = Play::new(select([lower, slow_in("b")]));
    play.poll(0.0);
    play.set("k", true).again();
    assert_eq!(play.brief(), "+nb +b b:A");
    gone_then(&mut play, "b:gone -nb +z");
}

#[test]
fn guard_further_left_takes_over_once_the_branch_has_exited() {
    let lower = |name: &str, key: &str| starts(name).guard(aborts(guard_key(key), "lower"));
    let mut play = Play::new(select([lower("x", "h"), lower("z", "k"), slow_in("b")]));
    play.poll(0.0);
    play.set("k", true).again();
    play.set("h", true).again();
    assert_eq!(play.brief(), "+nb +b b:A");
    play.end("b", true);
    play.again();
    // Whether by way of z or not, x runs in the end.
    let brief = play.brief();
    assert!(
        brief.starts_with("b:gone -nb") && brief.ends_with("+x"),
        "{brief}"
    );
}

#[test]
fn stop_waits_and_start_waits_for_stop() {
    let mut play = Play::new(slow_in("b"));
    play.poll(0.0);
    play.stop();
    assert!(play.runner.is_running(), "still cancelling");
    assert_eq!(play.brief(), "+nb +b b:A");
    play.runner.start();
    assert_eq!(play.polls::<2>(), [R; 2]);
    play.end("b", true);
    play.polls::<2>();
    assert_eq!(play.brief(), "b:gone -nb +nb +b");
}

#[test]
fn a_stop_after_a_start_while_stopping_is_the_last_word() {
    let mut play = Play::new(slow_in("b"));
    play.poll(0.0);
    play.stop();
    play.runner.start();
    play.stop();
    play.end("b", true);
    play.polls::<2>();
    assert_eq!(play.brief(), "+nb +b b:A b:gone -nb");
    assert!(!play.runner.is_running());
}

#[test]
fn load_and_reset_wait() {
    let trees = [("main", slow_in("b")), ("other", starts("o"))];
    let mut play = Play::trees(trees.clone());
    play.poll(0.0);
    play.runner.load("other").unwrap();
    play.again();
    assert_eq!(play.brief(), "+nb +b b:A");
    gone_then(&mut play, "b:gone -nb +o");
    let mut play = Play::trees(trees);
    play.set("k", 1).poll(0.0);
    play.runner.reset();
    play.again();
    assert_eq!(play.brief(), "+nb +b b:A");
    assert!(play.runner.blackboard().has("k"), "not cleared yet");
    gone_then(&mut play, "b:gone -nb");
    assert!(!play.runner.blackboard().has("k"));
    play.again();
    assert_eq!(play.brief(), "+nb +b");
}

#[test]
fn transfers_wait() {
    let other = ("other", starts("o"));
    let sub = sub_tree("other").extra("mode", "transfer");
    let main = parallel(2, 1, [slow_in("b"), sequence([starts("w"), sub])]);
    let mut play = Play::trees([("main", main), other.clone()]);
    play.poll(0.0);
    play.end("w", true);
    play.again();
    assert_eq!(play.brief(), "+nb +b +w w:S b:A");
    gone_then(&mut play, "b:gone -nb +o");
    let main = takes(slow_in("b"), "go", "other", "transfer");
    let mut play = Play::trees([("main", main), other]);
    play.poll(0.0);
    play.fire("go").again();
    assert_eq!(play.brief(), "+nb +b b:A");
    gone_then(&mut play, "b:gone -nb +o");
}

#[test]
fn a_child_that_is_cancelling_is_no_childs_end() {
    // Its completion ends the cancelling: its answer decides nothing.
    let main = sequence([parallel(1, 2, [slow("b"), starts("w")]), now("z")]);
    let mut play = Play::new(main);
    play.poll(0.0);
    play.end("w", true);
    play.again();
    play.end("b", false);
    assert_eq!(play.again(), S);
}

#[test]
fn a_wider_abort_while_something_is_cancelling_aborts_nothing_twice() {
    let inner = sequence([parallel(1, 2, [slow_in("b"), starts("w")]), now("never")]);
    let outer = parallel(2, 1, [starts("x"), inner]);
    let mut play = Play::new(select([timed("timeout", 2.0, outer), starts("z")]));
    play.poll(0.0);
    play.end("w", true);
    play.again();
    assert_eq!(play.brief(), "+x +nb +b +w w:S b:A");
    play.poll(2.0);
    assert_eq!(play.brief(), "x:A");
    gone_then(&mut play, "b:gone -nb +z");
}

#[test]
fn other_branches_run_while_a_branch_cancels() {
    let inner = sequence([parallel(1, 2, [slow("b"), starts("w")]), now("y")]);
    let main = parallel(2, 1, [inner, sequence([polled("p"), starts("q")])]);
    let mut play = Play::new(main);
    play.reply("p", [R, R, S]);
    play.poll(0.0);
    play.end("w", true);
    play.again();
    play.again();
    assert_eq!(play.brief(), "+b +w +p w:S b:A ~p ~p p:S +q");
    play.end("b", true);
    play.again();
    play.end("q", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "b:gone +y y:S q:S");
}

#[test]
fn events_go_past_what_is_cancelling() {
    let taker = takes(slow("b"), "go", "other", "return");
    let main = sequence([parallel(1, 2, [taker, starts("w")]), starts("z")]);
    let mut play = Play::trees([("main", main), ("other", now("o"))]);
    play.reply("b", [Reply::Event("bell", true)]);
    play.poll(0.0);
    play.end("w", true);
    play.again();
    // What was to end the action ends no cancelling.
    play.fire("go").fire("bell").again();
    assert_eq!(play.brief(), "+b +w w:S b:A");
    play.end("b", true);
    play.again();
    assert_eq!(play.brief(), "b:gone +z");
}

#[test]
fn a_tree_is_suspended_with_what_is_cancelling() {
    let inner = sequence([parallel(1, 2, [slow("b"), starts("w")]), starts("z")]);
    let main = takes(
        parallel(2, 1, [starts("x"), inner]),
        "go",
        "other",
        "return",
    );
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.poll(0.0);
    play.end("w", true);
    play.again();
    play.fire("go").again();
    play.end("b", true);
    play.again();
    assert_eq!(play.brief(), "+x +b +w w:S b:A +o");
    play.end("o", true);
    play.again();
    assert_eq!(play.brief(), "o:S b:gone +z");
}

#[test]
fn frames_and_end_wait() {
    let main = of("frames", [slow_in("b")]).extra("count", 2);
    let mut play = Play::new(sequence([main, starts("z")]));
    play.polls::<2>();
    assert_eq!(play.brief(), "+nb +b b:A");
    gone_then(&mut play, "b:gone -nb +z");
    let end = sequence([wait(1.0), node("end").extra("status", "success")]);
    let sub = parallel(2, 1, [slow_in("b"), end]);
    let mut play = Play::trees([
        ("main", sequence([sub_tree("sub"), starts("z")])),
        ("sub", sub),
    ]);
    play.poll(0.0);
    play.poll(1.0);
    assert_eq!(play.brief(), "+nb +b b:A");
    gone_then(&mut play, "b:gone -nb +z");
}

#[test]
fn paused_what_is_cancelling_waits() {
    let mut play = Play::new(select([timed("timeout", 2.0, slow("b")), starts("z")]));
    play.poll(0.0);
    play.poll(2.0);
    play.runner.pause();
    play.end("b", true);
    play.polls::<2>();
    assert_eq!(play.brief(), "+b b:A");
    play.runner.resume();
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "b:gone +z");
}

#[test]
fn the_host_may_end_a_cancelling() {
    let mut play = Play::new(select([timed("timeout", 2.0, slow("b")), now("z")]));
    play.poll(0.0);
    play.poll(2.0);
    let id = play.runner.active_leaves()[0].id;
    play.runner.finish(id, true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+b b:A b:gone +z z:S");
    let mut play = Play::new(timed("timeout", 2.0, slow("b")));
    play.poll(0.0);
    play.poll(2.0);
    play.end("b", true);
    assert_eq!(play.again(), F);
}

#[test]
fn reactive_node_whose_first_child_ended_beside_one_that_cancels_is_restored() {
    let ways: [fn([NodeSpec; 2]) -> NodeSpec; 2] = [reactive_sequence, reactive_select];
    for (way, ends) in ways.into_iter().zip([true, false]) {
        let a = slow("a").guard(aborts(guard_key("k"), "self"));
        let mut play = Play::new(parallel(2, 2, [a, way([now("b"), now("c")])]));
        play.probe.plain = true;
        play.cancels("a", Reply::Event("clean", true));
        play.set("k", true);
        play.reply("b", [ends]);
        play.on_call("b", |cx| cx.set("k", false));
        play.poll(0.0);
        play.brief();
        let saved = Saved::from_json(&play.runner.save().to_json()).expect("it was saved");
        play.runner = Runner::restore(play.runner.trees(), &saved).expect("it is sound");
        play.again();
        assert_eq!(play.brief(), "", "their parent is closed");
        play.fire("clean");
        play.again();
        assert!(
            play.brief().starts_with("call c"),
            "it goes on where it stood"
        );
    }
}

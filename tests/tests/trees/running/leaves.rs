//! Actions, waits, `reset`, `end`, `always_running`. (S1-R15, S1-R16, S1-R22, S1-R30, S4-Z02)

use bt_core::tree::asset::spec::{
    NodeSpec, action, call, node, parallel, select, sequence, sub_tree,
};
use bt_core::{TreeAsset, TreeSet};
use bt_tests::probe::{
    F, Play, Probe, R, Reply, S, frames, now, of, paired, polled, slow, starts, timed, wait,
};
use serde_json::json;

fn end(status: &str) -> NodeSpec {
    node("end").extra("status", status)
}

#[test]
fn a_key_that_is_missing_at_entry_is_a_failure_that_names_key_and_node() {
    let main = select([action("now").key("who"), starts("b")]);
    let mut play = Play::new(main);
    assert_eq!(play.poll(0.0), R);
    assert_eq!(play.brief(), "+b");
    let [why] = play.diagnostics().try_into().unwrap();
    assert!(
        why.contains("`who`") && why.contains("main: node 2"),
        "{why}"
    );
    // The agent lives on.
    play.end("b", true);
    assert_eq!(play.again(), S);
}

#[test]
fn a_value_of_another_type_at_entry_is_a_failure_too() {
    let mut play = Play::new(action("now").key("who"));
    play.set("who", 7);
    assert_eq!(play.poll(0.0), F);
    let [why] = play.diagnostics().try_into().unwrap();
    assert!(why.contains("`who`") && why.contains("string"), "{why}");
}

#[test]
fn arguments_are_taken_anew_at_every_call_of_a_status_action() {
    let mut play = Play::new(action("polled").key("who"));
    play.set("who", "x").poll(0.0);
    play.again();
    assert_eq!(play.brief(), "+x ~x");
    play.reply("x", [S]);
    assert_eq!(play.again(), S);
    // And fails where its key is gone, which leaves what it held.
    let mut play = Play::new(action("polled").key("who"));
    play.set("who", "x").poll(0.0);
    play.runner.blackboard().remove("who");
    assert_eq!(play.again(), F);
    assert_eq!(play.diagnostics().len(), 1);
    assert!(play.runner.active_leaves().is_empty());
}

#[test]
fn an_unknown_action_a_wrong_count_and_an_argument_that_does_not_decode_are_listed_together() {
    let mut set = TreeSet::<Probe>::new();
    let all = sequence([
        action("nwo").arg("a"),
        action("now"),
        action("now").arg(7),
        action("wait_frames").arg(-1),
        action("wait_for_seconds").arg(-0.5),
        now("fine"),
        now("a").guard(bt_core::tree::asset::spec::guard("hold").arg("x")),
        sub_tree("nowhere"),
    ]);
    set.add(TreeAsset::build("main", "probe", all));
    let error = set.build().unwrap_err();
    let text = error.to_string();
    for idx in [2, 3, 4, 5, 6, 8, 9] {
        assert!(text.contains(&format!("node {idx}")), "{idx}: {text}");
    }
    assert!(!text.contains("node 7:"), "{text}");
    assert!(text.contains("did you mean `now`"), "{text}");
}

#[test]
fn a_wait_counts_from_the_poll_it_was_entered_in() {
    let mut play = Play::new(sequence([starts("a"), wait(2.0)]));
    play.poll(0.0);
    play.end("a", true);
    play.poll(7.0);
    assert_eq!(play.wake(), Some(9.0));
    assert_eq!(play.poll(8.999), R);
    assert_eq!(play.poll(9.0), S);
}

#[test]
fn a_wait_after_a_wait_counts_from_the_poll_and_not_from_the_deadline() {
    let mut play = Play::new(sequence([wait(2.0), wait(2.0)]));
    play.poll(0.0);
    assert_eq!(play.poll(3.0), R);
    assert_eq!(play.wake(), Some(5.0));
}

#[test]
fn a_wait_of_no_time_ends_in_its_first_poll() {
    for none in [wait(0.0), frames(0), frames(1)] {
        let mut play = Play::new(sequence([none.clone(), now("z")]));
        assert_eq!(play.poll(5.0), S);
        // Wherever it is entered: here in the turn of a polled leaf.
        let mut play = Play::new(sequence([polled("p"), none, now("z")]));
        play.reply("p", [R, S]);
        assert_eq!(play.polls::<2>(), [R, S]);
    }
}

#[test]
fn a_wait_for_polls_counts_the_one_it_was_entered_in() {
    let mut play = Play::new(frames(4));
    assert_eq!(play.polls::<4>(), [R, R, R, S]);
    let mut play = Play::new(sequence([starts("a"), frames(2)]));
    play.poll(0.0);
    play.end("a", true);
    assert_eq!(play.polls::<2>(), [R, S]);
}

#[test]
fn a_wait_for_polls_wants_each_poll_and_a_wait_for_a_time_its_time() {
    let mut play = Play::new(frames(4));
    play.poll(3.0);
    assert_eq!(play.wake(), Some(3.0));
    let mut play = Play::new(wait(4.0));
    play.poll(3.0);
    assert_eq!(play.wake(), Some(7.0));
}

#[test]
fn clock_that_goes_back_is_held() {
    let mut play = Play::new(wait(4.0));
    play.poll(10.0);
    assert_eq!(play.poll(2.0), R);
    assert_eq!(play.wake(), Some(14.0));
    assert_eq!(play.poll(14.0), S);
}

#[test]
fn reset_aborts_everything_clears_the_blackboard_and_restarts_in_the_next_poll() {
    let main = parallel(
        2,
        1,
        [
            paired("x", sequence([starts("a")])),
            sequence([starts("b"), node("reset"), now("never")]),
        ],
    );
    let mut play = Play::new(main);
    play.poll(0.0);
    play.set("k", 1);
    play.end("b", true);
    assert_eq!(play.again(), R, "that poll ends running");
    assert_eq!(play.brief(), "+x +a +b b:S a:A -x");
    assert!(!play.runner.blackboard().has("k"));
    assert_eq!(play.wake(), Some(0.0));
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+x +a +b");
}

#[test]
fn reset_may_keep_the_blackboard() {
    let reset = node("reset").extra("keep_blackboard", true);
    let mut play = Play::new(sequence([starts("a"), reset]));
    play.set("k", 1).poll(0.0);
    play.end("a", true);
    play.again();
    assert_eq!(play.runner.blackboard().get("k"), 1);
    play.again();
    assert_eq!(play.brief(), "+a a:S +a");
}

#[test]
fn reset_forgets_what_outlives_a_nodes_end() {
    let once = of("once", [now("a")]);
    let mut play = Play::new(sequence([once, starts("b"), node("reset")])).looping();
    play.poll(0.0);
    play.end("b", true);
    play.again();
    play.again();
    assert_eq!(play.brief(), "+a a:S +b b:S +a a:S +b");
}

#[test]
fn initial_values_are_back_after_a_reset() {
    let root = node("root")
        .extra("blackboard", json!({"hp": {"type": "int32", "initial": 9}}))
        .child(sequence([starts("a"), node("reset")]));
    let mut play = Play::new(root);
    play.poll(0.0);
    play.set("hp", 1);
    play.end("a", true);
    play.again();
    assert_eq!(play.runner.blackboard().get("hp"), 9);
}

#[test]
fn end_ends_the_tree_with_its_status_at_once() {
    for (status, expect) in [("success", S), ("failure", F)] {
        let inner = sequence([of("negative", [sequence([end(status), now("never")])])]);
        let main = parallel(2, 2, [paired("x", starts("a")), inner, starts("z")]);
        let mut play = Play::new(main);
        assert_eq!(play.poll(0.0), expect);
        assert_eq!(play.brief(), "+x +a a:A -x");
    }
}

#[test]
fn end_ends_a_called_tree_and_its_caller_continues() {
    let main = sequence([sub_tree("sub"), now("z")]);
    let sub = of("always_false", [end("success")]);
    let mut play = Play::trees([("main", main), ("sub", sub)]);
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.brief(), "+z z:S");
}

#[test]
fn end_outside_ends_the_current_tree() {
    let main = parallel(
        2,
        1,
        [starts("a"), sequence([sub_tree("sub"), now("never")])],
    );
    let sub = sequence([sub_tree("deeper")]);
    let outside = end("success").extra("outside", true);
    let mut play = Play::trees([("main", main), ("sub", sub), ("deeper", outside)]);
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.brief(), "+a a:A");
}

#[test]
fn end_waits_for_what_is_cancelling() {
    let main = parallel(2, 1, [slow("a"), sequence([starts("b"), end("success")])]);
    let mut play = Play::new(main);
    play.poll(0.0);
    play.end("b", true);
    assert_eq!(play.again(), R);
    play.end("a", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+a +b b:S a:A a:gone");
}

#[test]
fn always_running_runs_until_it_is_aborted() {
    let main = timed("timeout", 5.0, node("always_running"));
    let mut play = Play::new(main);
    assert_eq!(play.poll(0.0), R);
    assert_eq!(play.polls::<3>(), [R; 3]);
    assert_eq!(play.wake(), Some(5.0));
    assert_eq!(play.poll(5.0), F);
}

#[test]
fn request_of_an_action_is_applied_when_the_action_has_returned() {
    type Ask = fn(&mut bt_core::Context<'_>);
    let asks: [(Ask, &str); 3] = [
        (|cx| cx.stop(), "+a +w w:S a:A"),
        (|cx| cx.reset(), "+a +w w:S a:A"),
        (|cx| cx.load("other"), "+a +w w:S a:A +o"),
    ];
    for (ask, expect) in asks {
        let main = parallel(2, 1, [starts("a"), sequence([now("w"), now("never")])]);
        let mut play = Play::trees([("main", main), ("other", starts("o"))]);
        play.on_call("w", ask);
        play.poll(0.0);
        assert_eq!(play.brief(), expect);
    }
}

#[test]
fn the_same_from_a_leaf_that_stays_running() {
    for leaf in [starts("w"), polled("w")] {
        let mut play = Play::new(sequence([leaf, now("never")]));
        play.on_call("w", |cx| cx.stop());
        play.poll(0.0);
        assert_eq!(play.brief(), "+w w:A");
        assert!(!play.runner.is_running());
    }
}

#[test]
fn the_same_from_an_effect_and_a_service() {
    let fails = call("now").arg("w");
    for spec in [
        sequence([starts("a")]).effect("enter", fails.clone()),
        sequence([starts("a")]).service(1.0, fails),
    ] {
        let mut play = Play::new(spec);
        play.on_call("w", |cx| cx.stop());
        play.poll(0.0);
        assert!(!play.runner.is_running());
        let log = play.brief();
        assert!(!log.contains("+a") || log.ends_with("a:A"), "{log}");
    }
}

#[test]
fn a_polled_leaf_that_was_entered_by_a_delivery_has_had_its_turn() {
    let mut play = Play::new(sequence([starts("a"), polled("p")]));
    play.poll(0.0);
    play.end("a", true);
    play.again();
    assert_eq!(play.brief(), "+a a:S +p");
    play.again();
    assert_eq!(play.brief(), "~p");
}

#[test]
fn a_later_completion_replaces_the_first() {
    // Each call asks for one of its own.
    let (send, completions) = std::sync::mpsc::channel();
    let mut play = Play::new(polled("p"));
    play.on_call("p", move |cx| send.send(cx.completion()).unwrap());
    let [first, second, third] = [0, 1, 2].map(|_| {
        play.poll(0.0);
        completions.recv().unwrap()
    });
    // Neither its answer nor its loss ends the action any more.
    assert!(first.finish(false));
    drop(second);
    play.always("p", false);
    third.finish(true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+p ~p ~p p:S");
    assert!(play.diagnostics().is_empty());
}

#[test]
fn a_blocked_leaf_is_not_run_again_until_it_is_woken() {
    let mut play = Play::new(starts("a"));
    play.reply("a", [Reply::After(5.0, false)]);
    for second in 0..5 {
        assert_eq!(play.poll(second.into()), R);
    }
    assert_eq!(play.poll(5.0), F);
    assert_eq!(play.brief(), "+a a:F");
}

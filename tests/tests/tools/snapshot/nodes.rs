//! U06: each kind of node that has a state is saved in the middle of it, after every poll.

use bt_core::tree::asset::spec::{
    NodeSpec, call, node, parallel, select, sequence, sub_tree, wait_event,
};
use bt_core::{Event, Mode};
use bt_tests::probe::*;

use crate::snapshot::twins::Twins;

/// Runs a tree with a save before each of so many polls, a quarter of a second apart.
#[track_caller]
fn goes_on(top: NodeSpec, polls: u32, setup: impl Fn(&mut Play)) {
    let other = sequence([now("o"), wait(0.5), now("p")]);
    let mut twins = Twins::of(|| {
        let trees = [("main", top.clone()), ("other", other.clone())];
        let mut play = Play::trees(trees).with(|runner| runner.mode(Mode::Loop).seed(7));
        setup(&mut play);
        play
    });
    twins.poll(0.0);
    twins.polls((1..polls).map(|poll| f64::from(poll) / 4.0));
}

fn waits(letters: &str) -> Vec<NodeSpec> {
    letters
        .chars()
        .map(|name| starts(&name.to_string()))
        .collect()
}

/// Leaves that wait a little and end in turn with success and failure.
fn in_turn(play: &mut Play) {
    for (at, name) in ["a", "b", "c", "d"].into_iter().enumerate() {
        let reply = |n: usize| Reply::After(0.25 * (1 + n % 3) as f64, !(n + at).is_multiple_of(3));
        play.reply(name, (at..at + 20).map(reply));
    }
}

#[test]
fn u06_composites_go_on_at_the_same_child() {
    for kind in [
        "sequence",
        "select",
        "memory_sequence",
        "memory_select",
        "always_seq",
    ] {
        goes_on(of(kind, waits("abcd")), 40, in_turn);
    }
    for kind in ["sequence", "select"] {
        goes_on(of(kind, waits("abcd")).keep_place(), 40, in_turn);
    }
    goes_on(of("if_else", waits("abc")), 30, in_turn);
    goes_on(of("while_loop", waits("ab")), 30, in_turn);
    let luck = of("probility", waits("abc")).extra("prob", serde_json::json!([1, 2, 3]));
    goes_on(luck, 30, in_turn);
}

#[test]
fn u07_random_orders_are_those_that_were_drawn() {
    goes_on(of("random_seq", waits("abcd")), 60, in_turn);
    goes_on(of("random_select", waits("abcd")), 60, in_turn);
    let saved = {
        let mut play = Play::new(of("random_seq", waits("abcd"))).with(|runner| runner.seed(3));
        play.probe.plain = true;
        play.poll(0.0);
        play.runner.save().to_json()
    };
    assert!(saved.contains(r#""is":{"order":[["#), "{saved}");
}

#[test]
fn u06_reactive_nodes_evaluate_on() {
    for kind in ["reactive_sequence", "reactive_select"] {
        let top = of(kind, [polled("x"), starts("b"), starts("c")]);
        goes_on(top, 24, |play| {
            in_turn(play);
            let ends = [true, false, true, true, false, false, true, true];
            play.reply("x", ends.map(Reply::End));
        });
    }
}

#[test]
fn u06_parallels_count_on() {
    goes_on(parallel(2, 3, waits("abcd")), 40, in_turn);
    goes_on(parallel(4, 1, waits("abcd")), 40, in_turn);
    goes_on(of("parallel", waits("abc")), 20, in_turn);
    let rerun = parallel(3, 3, [now("x"), starts("a"), starts("b")]);
    goes_on(rerun.extra("rerun", true), 30, in_turn);
}

#[test]
fn u06_loops_count_on() {
    for kind in ["repeat", "retry", "until_success", "until_failure", "loop"] {
        for count in [-1, 2, 5] {
            goes_on(times(kind, count, starts("a")), 30, in_turn);
            let instant = sequence([times(kind, count, now("x")), wait(0.5)]);
            goes_on(instant, 20, |play| {
                play.reply("x", [true, false, false, true, true, false]);
            });
        }
    }
}

#[test]
fn u06_counters_that_outlive_their_nodes_are_kept() {
    for kind in ["run_limit", "success_until", "failure_until"] {
        let top = sequence([of("always_true", [times(kind, 3, starts("a"))]), wait(0.25)]);
        goes_on(top, 40, in_turn);
    }
    let once = sequence([of("always_true", [of("once", [starts("a")])]), wait(0.25)]);
    goes_on(once, 20, in_turn);
    // Left, and remembered all the same.
    let memory = select([of("memory_sequence", waits("abc")), wait(0.25)]);
    goes_on(memory, 40, in_turn);
}

#[test]
fn u06_keep_place_is_saved_while_its_node_is_not_active() {
    let patrol = sequence(waits("abc")).keep_place();
    let mut twins = Twins::trees([("main", sub_tree("patrol")), ("patrol", patrol)]);
    twins.both(|play| {
        play.reply("a", [Reply::After(0.25, true)]);
    });
    twins.poll(0.0);
    twins.polls([0.25]);
    twins.both(|play| {
        play.stop();
    });
    twins.save();
    twins.both(|play| play.runner.start());
    twins.polls([0.5]);
    assert_eq!(twins.saved.runner.active_leaves()[0].idx, 3, "at b");
}

#[test]
fn u06_frames_are_counted_on() {
    goes_on(times("frames", 5, starts("a")), 16, in_turn);
    goes_on(times("frames", 3, now("x")), 16, |_| {});
    goes_on(sequence([frames(7), frames(2)]), 20, |_| {});
}

#[test]
fn u06_decorators_of_times_go_on() {
    goes_on(timed("delay", 0.75, starts("a")), 20, in_turn);
    goes_on(
        of("always_true", [timed("timeout", 0.5, starts("a"))]),
        20,
        in_turn,
    );
    goes_on(
        of("always_true", [timed("timeout", 0.5, polled("x"))]),
        12,
        |_| {},
    );
    let cooldown = of("always_true", [timed("cooldown", 1.0, starts("a"))]);
    goes_on(sequence([cooldown, wait(0.25)]), 30, in_turn);
}

#[test]
fn u06_the_hosts_own_decorator_goes_on() {
    goes_on(limits("limit", 3, starts("a")), 20, in_turn);
}

#[test]
fn u06_called_trees_go_on() {
    goes_on(
        sequence([now("a"), sub_tree("other"), now("b")]),
        12,
        |_| {},
    );
    let both = parallel(
        2,
        1,
        [sub_tree("other"), sequence([wait(0.25), sub_tree("other")])],
    );
    goes_on(both, 12, |_| {});
    let named = node("sub_tree").extra("name_key", "which");
    goes_on(sequence([named]), 12, |play| {
        play.set("which", "other");
    });
}

#[test]
fn u06_what_waits_for_ever_does() {
    goes_on(node("always_running"), 4, |_| {});
    goes_on(wait_event("go"), 4, |_| {});
    goes_on(starts("a"), 4, |_| {});
    goes_on(polled("a"), 4, |_| {});
}

#[test]
fn u06_services_are_called_on() {
    let served = sequence([wait(1.25), wait(0.5)])
        .service(0.5, call("note").arg("half"))
        .service(0.75, call("note").arg("three quarters"));
    goes_on(served, 24, |_| {});
}

#[test]
fn u06_a_budget_that_was_spent_is_gone_on_with() {
    let inner = || of("always_seq", (0..10).map(|n| now(&n.to_string())));
    let mut twins = Twins::of(|| {
        let top = parallel(3, 1, [inner(), inner(), starts("a")]);
        Play::new(top).with(|runner| runner.budget(4))
    });
    for _ in 0..12 {
        twins.save().poll(0.0);
    }
    twins.fire(Event::new("go")).save().poll(0.0);
}

#[test]
fn u06_an_agent_whose_tree_has_ended_stays_so() {
    let mut twins = Twins::new(sequence([now("a"), wait(0.25)]));
    twins.save();
    assert_eq!(twins.polls([0.0, 0.25, 0.5]), [R, S, S]);
    assert_eq!(twins.saved.runner.result(), Some(true));
}

#[test]
fn u06_the_last_results_of_nodes_are_kept_where_they_are() {
    let mut twins = Twins::of(|| {
        let top = sequence([now("a"), of("negative", [now("b")]), wait(1.0)]);
        let mut play = Play::new(top).with(|runner| runner.keep_results(true));
        play.reply("b", [false]);
        play
    });
    twins.poll(0.0);
    twins.save();
    let status = |play: &Play, idx| play.runner.node_status("main", idx);
    for idx in 0..6 {
        assert_eq!(status(&twins.straight, idx), status(&twins.saved, idx));
    }
    assert_eq!(status(&twins.saved, 4), bt_core::NodeStatus::Failure);
}

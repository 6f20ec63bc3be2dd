//! Actions that were aborted, and take their time to clean up.

use std::time::Duration;

use bt_core::trace::{JsonLines, SharedWriter};
use bt_core::tree::asset::spec::{parallel, select, sequence, sub_tree};
use bt_core::{Runner, Saved};
use bt_tests::probe::*;

use crate::snapshot::twins::Twins;

#[test]
fn u06_what_happens_after_an_abort_happens_when_the_last_of_it_is_gone() {
    // A race, a time-out, a guard, a reset, a stop, another tree: each with a slow loser.
    let race = sequence([parallel(1, 1, [slow("a"), wait(0.5)]), now("z")]);
    let timeout = select([timed("timeout", 0.5, slow("a")), now("z")]);
    let ends = parallel(
        2,
        1,
        [slow("a"), sequence([wait(0.5), of("negative", [now("b")])])],
    );
    let inner = sequence([select([ends, now("y")]), now("z")]);
    let reactive = of("reactive_select", [polled("p"), slow("a")]);
    let transfer = parallel(
        2,
        2,
        [
            slow("a"),
            sequence([wait(0.5), sub_tree("other").extra("mode", "transfer")]),
        ],
    );
    for top in [race, timeout, inner, reactive, transfer] {
        let mut twins = Twins::of(|| {
            let trees = [
                ("main", top.clone()),
                ("other", sequence([now("o"), wait(0.5)])),
            ];
            let mut play = Play::trees(trees);
            play.reply("p", [false, false, true].map(Reply::End));
            play.reply("p", [Reply::On, Reply::On]);
            play
        });
        twins.polls((0..12).map(|poll| f64::from(poll) / 8.0));
    }
}

#[test]
fn u06_a_guard_waits_for_the_loser_to_go() {
    let top = sequence([now("a")]).guard(guard_key("k").set("abort", "lower"));
    let mut twins = Twins::new(select([top, slow("b")]));
    twins.poll(0.0);
    twins.both(|play| {
        play.set("k", true);
    });
    twins.polls([0.0, 0.125, 0.25, 0.375]);
}

#[test]
fn u06_a_stop_goes_on() {
    let mut twins = Twins::new(parallel(2, 1, [slow("a"), slow("b")]));
    twins.poll(0.0);
    twins.both(|play| {
        play.stop();
    });
    twins.polls([0.0]);
    twins.both(|play| play.runner.start());
    twins.polls([0.125, 0.25, 0.5]);
}

#[test]
fn u06_a_node_whose_run_is_over_is_still_who_aborts() {
    let top = parallel(2, 2, [slow("a"), sub_tree("other")]);
    let mut play = Play::trees([("main", top), ("other", sequence([now("stops")]))]);
    play.probe.plain = true;
    play.on_call("stops", |cx| cx.stop());
    play.poll(0.0);
    let saved = Saved::from_json(&play.runner.save().to_json()).expect("it was saved");
    let restored = Runner::restore(play.runner.trees(), &saved).expect("it is restored");
    assert_eq!(restored.save(), saved);
    play.runner = restored.at(Duration::ZERO);
    let trace = SharedWriter::new(Vec::new());
    let lines = JsonLines::new(trace.clone());
    play.runner.set_tracer(Some(Box::new(lines)));
    play.poll(0.5);
    let text = trace.with(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let mut lines = text.lines();
    let line = lines.find(|line| line.contains("node_leave"));
    let line = line.expect("it is cancelled");
    assert!(
        line.contains(r#""tree":"other","type":"action","name":"now""#),
        "{line}"
    );
}

#[test]
fn u06_what_waits_for_a_completion_to_be_gone_counts_as_gone() {
    let mut play = Play::new(sequence([
        of("always_true", [timed("timeout", 1.0, slow("a"))]),
        now("z"),
    ]));
    play.poll(0.0);
    assert_eq!(play.poll(1.0), R);
    assert_eq!(play.brief(), "+a a:A");
    let saved = play.runner.save();
    let trees = play.runner.trees().clone();
    // Its guard is the old process's, and so is its completion.
    let mut other = Probe::default();
    other.plain = true;
    let mut runner = Runner::restore(&trees, &saved).unwrap();
    let poll = runner.poll(&mut other, std::time::Duration::from_secs(1));
    assert_eq!(poll.status, S);
    assert_eq!(other.log.take(), ["call z", "left: Success"]);
    let told = runner.take_diagnostics();
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].node(), Some(4));
    assert!(
        told[0].message().contains("counts as cancelled"),
        "{}",
        told[0]
    );
    play.end("a", true);
    assert_eq!(play.poll(2.0), S);
}

#[test]
fn u06_its_end_may_have_arrived_already() {
    let mut play = Play::new(of("always_true", [timed("timeout", 1.0, slow("a"))]));
    play.poll(0.0);
    play.poll(1.0);
    play.end("a", true);
    let saved = play.runner.save();
    let trees = play.runner.trees().clone();
    let mut runner = Runner::restore(&trees, &saved).unwrap();
    let mut other = Probe::default();
    let poll = runner.poll(&mut other, std::time::Duration::from_secs(1));
    assert_eq!(poll.status, S);
    assert!(
        runner.diagnostics().is_empty(),
        "{:?}",
        runner.diagnostics()
    );
    assert_eq!(play.poll(2.0), S);
}

#[test]
fn parallel_that_is_aborted_while_it_enters_its_children_is_restored() {
    let transfer = sub_tree("other").extra("mode", "transfer");
    for leaf in [transfer, of("reset", []), now("stop")] {
        let mut twins = Twins::of(|| {
            let top = parallel(3, 3, [slow("a"), leaf.clone(), starts("w")]);
            let mut play = Play::trees([("main", top), ("other", starts("o"))]);
            play.on_call("stop", |cx| cx.stop());
            play
        });
        twins.polls((0..6).map(|poll| f64::from(poll) / 8.0));
    }
}

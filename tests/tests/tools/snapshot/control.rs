//! Tests of the host's requests and settings.

use bt_core::tree::asset::spec::sequence;
use bt_core::{LeafId, Mode};
use bt_tests::probe::*;

use crate::snapshot::twins::Twins;

#[test]
fn u06_what_the_host_asked_for_happens_after_the_restoring() {
    type Ask = fn(&mut Play);
    let asks: [Ask; 5] = [
        |play| play.runner.reset(),
        |play| play.runner.load("other").unwrap(),
        |play| {
            play.stop();
        },
        |play| play.runner.start(),
        |play| {
            play.stop();
            play.runner.start();
        },
    ];
    for ask in asks {
        for polls in 0..3u32 {
            let trees = [
                ("main", sequence([now("a"), slow("b")])),
                ("other", wait(1.0)),
            ];
            let mut twins = Twins::trees(trees);
            for poll in 0..polls {
                twins.poll(poll.into());
            }
            twins.both(ask);
            twins.polls([3.0, 3.25, 3.5, 4.0, 5.0]);
        }
    }
}

#[test]
fn u06_how_it_is_run_is_saved() {
    let mut twins = Twins::of(|| {
        let endless = times("repeat", 30, now("a"));
        Play::new(sequence([endless, wait(0.25)]))
            .with(|runner| runner.mode(Mode::Loop).budget(10).seed(99))
    });
    twins.polls((0..30).map(|poll| f64::from(poll) / 8.0));
}

#[test]
fn u06_an_agent_that_was_never_started_is_not() {
    let mut twins = Twins::of(|| {
        let play = Play::new(now("a"));
        let trees = play.runner.trees().clone();
        let mut play = play;
        play.runner = bt_core::Runner::new(&trees, "main").unwrap();
        play
    });
    twins.polls([0.0, 1.0]);
    twins.both(|play| play.runner.start());
    twins.polls([2.0]);
}

#[test]
fn u06_the_names_of_leaves_stay() {
    let mut twins = Twins::new(sequence([starts("a"), starts("b")]));
    twins.poll(0.0);
    let leaf: LeafId = twins.saved.runner.active_leaves()[0].id;
    twins.save();
    assert_eq!(twins.saved.runner.active_leaves()[0].id, leaf);
    twins.finish(leaf, true);
    twins.save();
    assert_eq!(twins.poll(0.0), R);
    let next = twins.saved.runner.active_leaves()[0].id;
    assert_ne!(next, leaf);
    // An old name ends nothing.
    twins.finish(leaf, true);
    twins.save();
    assert_eq!(twins.poll(1.0), R);
}

#[test]
fn u06_nothing_is_told_twice() {
    let mut twins = Twins::new(sequence([starts("a")]));
    twins.poll(0.0);
    twins.fire(bt_core::Event::new("nobody_knows"));
    twins.poll(0.0);
    twins.save();
    twins.fire(bt_core::Event::new("nobody_knows"));
    twins.poll(0.0);
    twins.both(|play| play.runner.reset());
    twins.save();
    twins.polls([1.0, 2.0]);
}

//! Times are times left: on another clock, in their order, over a pause.

use std::time::Duration;

use bt_core::tree::asset::spec::{parallel, sequence};
use bt_core::{Mode, Runner, Saved};
use bt_tests::probe::*;

use crate::snapshot::twins::Twins;

fn at(play: &Play) -> Saved {
    Saved::from_json(&play.runner.save().to_json()).unwrap()
}

fn plain(play: Play) -> Play {
    let mut play = play;
    play.probe.plain = true;
    play
}

/// Puts what was saved of a play in its place.
fn restore(play: &mut Play, saved: &Saved) {
    let trees = play.runner.trees().clone();
    play.runner = Runner::restore(&trees, saved).unwrap();
}

#[test]
fn u06_a_wait_takes_what_is_left_of_it_on_another_clock() {
    let mut play = plain(Play::new(sequence([wait(10.0), now("a")])));
    play.poll(1000.0);
    play.poll(1004.0);
    let saved = at(&play);
    restore(&mut play, &saved);
    // It counts from the first poll.
    assert_eq!(play.poll(50.0), R);
    assert_eq!(play.wake(), Some(56.0));
    assert_eq!(play.poll(55.9), R);
    assert_eq!(play.poll(56.0), S);
}

#[test]
fn u06_the_host_says_which_time_the_moment_of_saving_is() {
    let mut play = plain(Play::new(sequence([wait(10.0), now("a")])));
    play.poll(1000.0);
    let saved = at(&play);
    let trees = play.runner.trees().clone();
    play.runner = Runner::restore(&trees, &saved)
        .unwrap()
        .at(Duration::from_secs(5));
    assert_eq!(play.wake(), Some(15.0));
    // As if it had been polled late.
    assert_eq!(play.poll(20.0), S);
}

#[test]
fn u06_what_is_due_at_the_same_time_stays_in_its_order() {
    let leaves = ["c", "a", "b"].map(|name| sequence([wait(1.0), now(name)]));
    let mut twins = Twins::new(parallel(3, 1, leaves));
    twins.poll(0.0);
    twins.save();
    let trees = twins.saved.runner.trees().clone();
    twins.saved.runner = Runner::restore(&trees, &at(&twins.saved)).unwrap();
    twins.saved.poll(100.0);
    twins.straight.poll(1.0);
    twins.saved.poll(101.0);
    assert_eq!(
        twins.straight.brief(),
        "call c left: Success call a left: Success call b left: Success"
    );
    assert_eq!(
        twins.saved.brief(),
        "call c left: Success call a left: Success call b left: Success"
    );
}

#[test]
fn u06_a_cooldown_is_over_when_what_was_left_of_it_is() {
    let top = of("always_true", [timed("cooldown", 10.0, now("a"))]);
    let mut play = plain(Play::new(top).looping());
    play.poll(100.0);
    play.poll(104.0);
    let saved = at(&play);
    restore(&mut play, &saved);
    play.log();
    play.poll(0.0);
    play.poll(5.9);
    assert_eq!(play.brief(), "", "6 seconds were left");
    play.poll(6.0);
    assert_eq!(play.brief(), "call a left: Success");
}

#[test]
fn u06_a_cooldown_that_is_over_is_not_saved() {
    let top = of("always_true", [timed("cooldown", 1.0, now("a"))]);
    let mut play = plain(Play::new(top));
    play.poll(0.0);
    assert!(play.runner.save().to_json().contains(r#""kept":[["#));
    play.poll(2.0);
    assert!(!play.runner.save().to_json().contains("kept"));
}

#[test]
fn u06_a_paused_agent_is_paused_and_loses_no_time() {
    let top = || sequence([wait(10.0), now("a")]);
    let mut twins = Twins::new(top());
    twins.poll(0.0);
    twins.poll(4.0);
    twins.both(|play| play.runner.pause());
    twins.polls([5.0, 20.0]);
    twins.both(|play| play.runner.resume());
    assert_eq!(twins.polls([30.0, 35.9, 36.0]), [R, R, S]);
}

#[test]
fn u06_a_paused_agent_is_resumed_on_another_clock() {
    let mut play = plain(Play::new(sequence([wait(10.0), now("a")])));
    play.poll(100.0);
    play.poll(104.0);
    play.runner.pause();
    play.poll(200.0);
    let saved = at(&play);
    restore(&mut play, &saved);
    assert!(play.runner.is_paused());
    play.poll(1.0);
    play.runner.resume();
    // Not polled since: that is no new pause.
    play.runner.pause();
    play.poll(3.0);
    play.runner.resume();
    assert_eq!(play.poll(7.0), R);
    assert_eq!(play.wake(), Some(13.0));
}

#[test]
fn wait_grows_by_each_of_two_pauses_without_a_poll_between() {
    let mut play = Play::new(sequence([wait(10.0), now("a")]));
    play.poll(0.0);
    play.runner.pause();
    play.poll(5.0);
    play.runner.resume();
    play.runner.pause();
    play.poll(8.0);
    play.runner.resume();
    play.poll(8.0);
    assert_eq!(play.wake(), Some(18.0));
}

#[test]
fn a_clean_up_that_begins_in_a_pause_does_not_wait_for_its_length() {
    let mut play = plain(Play::new(slow("a")));
    play.poll(0.0);
    play.runner.pause();
    play.poll(100.0);
    play.stop();
    play.runner.resume();
    play.poll(200.0);
    assert_eq!(play.wake(), Some(200.25));
}

#[test]
fn u06_a_stop_before_the_first_poll_counts_on_the_hosts_clock() {
    let mut play = plain(Play::new(slow("a")));
    play.poll(1000.0);
    let saved = at(&play);
    restore(&mut play, &saved);
    let (runner, probe) = (&mut play.runner, &mut play.probe);
    runner.stop(probe, Duration::from_secs(7));
    play.poll(7.0);
    assert_eq!(play.wake(), Some(7.25));
    play.poll(7.25);
    assert!(!play.runner.is_running());
}

#[test]
fn u06_since_when_a_node_waits_is_known_on_the_new_clock() {
    let mut play = plain(Play::new(wait(10.0)).with(|runner| runner.mode(Mode::Once)));
    play.poll(100.0);
    play.poll(103.0);
    let saved = at(&play);
    assert!(saved.to_json().contains(r#""ago":3000000000"#));
    restore(&mut play, &saved);
    assert!(at(&play).to_json().contains(r#""ago":3000000000"#));
    play.poll(50.0);
    play.poll(51.0);
    assert!(at(&play).to_json().contains(r#""ago":4000000000"#));
}

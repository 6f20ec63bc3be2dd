//! Profiles.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bt_core::debug::{NodeProfile, Profile, Profiler};
use bt_core::tree::asset::spec::{select, sequence};
use bt_tests::probe::*;

/// Every look at the clock takes a millisecond.
fn profiled(play: &mut Play) {
    let looks = Arc::new(AtomicU64::new(0));
    let clock = move || Duration::from_millis(looks.fetch_add(1, Ordering::SeqCst));
    play.runner.set_tracer(Some(Box::new(Profiler::new(clock))));
}

fn profile(play: &Play) -> &Profile {
    play.runner
        .tracer::<Profiler>()
        .expect("it is there")
        .profile()
}

fn node(profile: &Profile, idx: u32) -> NodeProfile {
    let found = profile.nodes().find(|(_, other, _)| *other == idx);
    found.map(|(_, _, node)| node).unwrap_or_default()
}

#[test]
fn profile_counts_how_nodes_run_and_end() {
    let mut play = Play::new(select([sequence([now("a"), now("b")]), starts("c")])).looping();
    play.always("b", false);
    profiled(&mut play);
    play.poll(0.0);
    play.stop();
    let found = profile(&play);
    let counts = |idx| {
        let node = node(found, idx);
        (
            node.entered,
            node.succeeded,
            node.failed,
            node.aborted,
            node.calls,
        )
    };
    assert_eq!(counts(3), (1, 1, 0, 0, 1), "a");
    assert_eq!(counts(4), (1, 0, 1, 0, 1), "b");
    assert_eq!(counts(2), (1, 0, 1, 0, 0), "its sequence");
    assert_eq!(counts(5), (1, 0, 0, 1, 1), "c");
    let sum = found.tree("main");
    assert_eq!((sum.entered, sum.calls), (6, 3));
    // From the call of `a` to its exit, and from its entry to that call.
    assert!(node(found, 3).time >= Duration::from_millis(2));
    assert!(sum.time >= node(found, 3).time);
    assert_eq!(found.tree("other"), NodeProfile::default());
}

#[test]
fn what_passes_between_polls_is_nobodys_time() {
    let mut play = Play::new(starts("a"));
    let looks = Arc::new(AtomicU64::new(0));
    let now = looks.clone();
    let clock = move || Duration::from_secs(now.load(Ordering::SeqCst));
    play.runner.set_tracer(Some(Box::new(Profiler::new(clock))));
    play.poll(0.0);
    looks.store(1_000, Ordering::SeqCst);
    play.end("a", true);
    play.poll(1.0);
    assert_eq!(profile(&play).tree("main").time, Duration::ZERO);
}

#[test]
fn profiles_of_agents_are_added_up() {
    let mut all = Profile::default();
    for success in [true, true, false] {
        let mut play = Play::new(now("a"));
        play.always("a", success);
        profiled(&mut play);
        play.poll(0.0);
        all.merge(profile(&play));
    }
    let node = node(&all, 1);
    assert_eq!((node.entered, node.succeeded, node.failed), (3, 2, 1));
}

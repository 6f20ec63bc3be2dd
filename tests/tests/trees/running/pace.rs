//! Tests of the period of turns, and of guards that wait for the host.

use std::time::Duration;

use bt_core::pool::Pool;
use bt_core::reload::Changes;
use bt_core::tree::asset::spec::{
    NodeSpec, condition, node, reactive_sequence, sequence, wait_event,
};
use bt_core::{Runner, TreeAsset, TreeSet, Trees};
use bt_tests::probe::{
    F, Play, Probe, R, S, frames, guard_holds, guard_key, holds, now, of, polled, starts, timed,
    wait,
};
use serde_json::json;

use super::aborts;

/// A period that is as long as twelve frames.
const PERIOD: f64 = 0.2;

fn every(seconds: f64, top: NodeSpec) -> NodeSpec {
    node("root").extra("every", seconds).child(top)
}

fn looks() -> NodeSpec {
    reactive_sequence([holds("c"), starts("a")])
}

/// A play that was polled once, with the time of its next turn.
fn begun(top: NodeSpec) -> (Play, f64) {
    let mut play = Play::new(every(PERIOD, top));
    play.flag("c", true);
    play.poll(0.0);
    let next = play.wake().unwrap();
    assert!(0.0 < next && next <= PERIOD, "{next}");
    play.brief();
    (play, next)
}

/// Checks that the next poll is due at that time.
fn is_near(play: &Play, time: f64) {
    let wake = play.wake().unwrap();
    assert!((wake - time).abs() < 1e-6, "{wake}, expected {time}");
}

fn probe() -> Probe {
    let mut probe = Probe::default();
    probe.flags.insert("c".to_owned(), true);
    probe
}

fn trees(top: NodeSpec) -> Trees<Probe> {
    let mut trees = TreeSet::<Probe>::new();
    trees.add(TreeAsset::build("main", "probe", top));
    trees.build().unwrap()
}

/// Polls a thousand agents at 60 frames a second for a second: the polls of the first frame, those of all others,
/// and the most in one of these.
fn polls(runner: impl Fn(Runner<Probe>) -> Runner<Probe>) -> [usize; 3] {
    let trees = trees(looks());
    let mut pool = Pool::new();
    for _ in 0..1_000 {
        let mut runner = runner(Runner::new(&trees, "main").unwrap());
        runner.start();
        pool.spawn(probe(), runner);
    }
    let mut frames = (0..=60).map(|frame| pool.poll(Duration::from_secs(1) * frame / 60));
    let first = frames.next().unwrap();
    let others: Vec<_> = frames.collect();
    [
        first,
        others.iter().sum(),
        others.into_iter().max().unwrap(),
    ]
}

#[test]
fn thousand_reactive_agents_with_a_period_of_twelve_frames_are_polled_a_twelfth_as_often() {
    assert_eq!(polls(|runner| runner), [1_000, 60_000, 1_000]);
    let period = Duration::from_millis(200);
    let [first, others, most] = polls(|runner| runner.turn_period(period));
    assert_eq!((first, others), (1_000, 5_000));
    assert!(most < 120, "83 would be spread evenly, found {most}");
}

#[test]
fn what_would_run_in_every_poll_runs_in_the_turn_of_its_period() {
    let both = of("parallel", [looks(), polled("p")]).extra("success", 2);
    let (mut play, next) = begun(both.extra("failure", 2));
    play.poll(next - 0.001);
    assert_eq!(play.brief(), "");
    play.poll(next);
    assert_eq!(play.brief(), "?c ~p");
    is_near(&play, next + PERIOD);
    play.flag("c", false);
    play.poll(next + 0.15);
    assert_eq!(play.brief(), "");
    assert_eq!(play.poll(next + PERIOD + 0.05), R);
    assert_eq!(play.brief(), "?c a:A ~p");
    is_near(&play, next + 2.0 * PERIOD);
    play.finish();
}

#[test]
fn hosts_period_outranks_that_of_the_file() {
    let (mut play, _) = begun(looks());
    play.runner.set_turn_period(Duration::ZERO);
    play.poll(0.001);
    play.poll(0.002);
    assert_eq!(play.brief(), "?c ?c");
    play.runner.set_turn_period(Duration::from_secs(5));
    play.poll(0.003);
    let next = play.wake().unwrap();
    assert!(0.003 < next && next <= 5.003, "{next}");
    play.runner.set_turn_period(None);
    play.poll(0.004);
    assert!(play.wake().unwrap() <= 0.004 + PERIOD);
    play.finish();
}

#[test]
fn events_completions_times_and_keys_wait_for_no_turn() {
    let by_key = starts("k").guard(aborts(guard_key("k"), "self"));
    let more = [wait_event("e"), by_key, timed("timeout", 0.01, starts("t"))];
    let all = of("parallel", [looks()].into_iter().chain(more));
    let mut play = Play::new(every(PERIOD, all.extra("success", 4).extra("failure", 4)));
    play.flag("c", true).set("k", true);
    play.poll(0.0);
    play.brief();
    // No turn is near.
    play.poll(0.3);
    let next = play.wake().unwrap();
    assert_eq!(play.brief(), "t:A ?c");
    play.set("k", false);
    play.poll(next - 0.003);
    assert_eq!(play.brief(), "k:A");
    play.end("a", true);
    play.poll(next - 0.002);
    assert_eq!(play.brief(), "a:S");
    play.fire("e");
    assert_eq!(play.poll(next - 0.001), F);
}

#[test]
fn tree_that_ends_at_once_begins_again_in_its_turn() {
    let mut play = Play::new(every(PERIOD, now("a"))).looping();
    assert_eq!(play.poll(0.0), S);
    let next = play.wake().unwrap();
    let said = play.runner.explain().to_string();
    assert!(said.contains("begins again at"), "{said}");
    assert_eq!(play.poll(next - 0.001), R);
    play.fire("e");
    assert_eq!(play.poll(next - 0.0005), R);
    assert_eq!(play.brief(), "+a a:S");
    play.poll(next);
    assert_eq!(play.brief(), "+a a:S");
    // What the host asks for is done at once.
    play.runner.reset();
    play.poll(next + 0.001);
    assert_eq!(play.brief(), "+a a:S");
}

#[test]
fn numbers_of_polls_count_turns_however_often_the_host_polls() {
    let turns = |step: f64| {
        let slow = node("frames").extra("count", 3).child(starts("b"));
        let mut play = Play::new(every(PERIOD, sequence([frames(4), slow])));
        play.poll(0.0);
        let (mut now, mut happened) = (0.0, Vec::new());
        while play.runner.is_running() {
            let next = play.wake().unwrap();
            now = if step == 0.0 { next } else { now + step };
            play.poll(now);
            if !play.brief().is_empty() {
                happened.push(now);
            }
        }
        happened
    };
    let (exact, often) = (turns(0.0), turns(0.001));
    let first = exact[0] - exact[0].rem_euclid(PERIOD);
    assert!(
        (first - 2.0 * PERIOD).abs() < 1e-6,
        "the fourth turn: {exact:?}"
    );
    assert!(
        (exact[1] - exact[0] - 2.0 * PERIOD).abs() < 1e-6,
        "{exact:?}"
    );
    assert_eq!(exact.len(), often.len());
    for (exact, often) in exact.into_iter().zip(often) {
        assert!((0.0..0.0011).contains(&(often - exact)), "{exact} {often}");
    }
}

#[test]
fn deadline_of_a_timeout_calls_what_is_polled_once_more() {
    let (mut play, next) = begun(timed("timeout", 0.5, polled("p")));
    let mut turn = next;
    while turn + PERIOD < 0.5 {
        turn += PERIOD;
    }
    play.poll(turn);
    play.brief();
    play.reply("p", [true]);
    assert_eq!(play.poll(0.5), S);
    assert_eq!(play.brief(), "~p p:S");
}

#[test]
fn explanation_says_when_it_looks_again() {
    let (mut play, next) = begun(looks());
    play.poll(next);
    play.poll(next + 0.07);
    let now = Duration::from_secs_f64(next + 0.07);
    let said = play.runner.explain_at(now).to_string();
    let line = said.lines().find(|line| line.starts_with("looks again at"));
    assert!(
        line.is_some_and(|line| line.ends_with(", in 0.13 s")),
        "{said}"
    );
    play.finish();
}

#[test]
fn paused_agent_has_its_turn_later() {
    let (mut play, next) = begun(looks());
    play.runner.pause();
    play.poll(10.0);
    play.runner.resume();
    play.poll(20.0);
    assert_eq!(play.brief(), "");
    assert!((play.wake().unwrap() - 20.0 - next).abs() < 1e-6);
    play.finish();
}

#[test]
fn saved_agent_has_its_turn_when_it_would_have_had_it() {
    let waits = reactive_sequence([holds("c"), wait(60.0)]);
    let trees = trees(every(PERIOD, waits));
    let mut runner = Runner::new(&trees, "main").unwrap();
    let mut probe = probe();
    runner.start();
    runner.poll(&mut probe, Duration::ZERO);
    let next = runner.next_wake().unwrap();
    runner.poll(&mut probe, next);
    runner.poll(&mut probe, next + Duration::from_millis(50));
    let json = serde_json::to_string(&runner.save()).unwrap();
    let saved = serde_json::from_str(&json).unwrap();
    let start = Duration::from_secs(100);
    let restored = Runner::<Probe>::restore(&trees, &saved).unwrap().at(start);
    assert_eq!(
        restored.next_wake(),
        Some(start + Duration::from_millis(150))
    );
    assert_eq!(serde_json::to_string(&restored.save()).unwrap(), json);
}

#[test]
fn reload_changes_the_period_and_nothing_starts_anew() {
    let [old, new] = [PERIOD, 1.0].map(|period| trees(every(period, looks())));
    let mut runner = Runner::new(&old, "main").unwrap();
    let mut probe = probe();
    runner.start();
    runner.poll(&mut probe, Duration::ZERO);
    runner.reload(&Changes::between(&old, &new));
    let mut turns = Vec::new();
    while turns.len() < 4 {
        let next = runner.next_wake().unwrap();
        runner.poll(&mut probe, next);
        turns.push(next);
    }
    assert_eq!(turns[3] - turns[2], Duration::from_secs(1));
    let said = runner.last_reload().unwrap();
    assert!(said.is_quiet(), "{said:?}");
}

#[test]
fn guards_wait_for_the_host_and_keep_nobody_due() {
    let by_agent = starts("a").guard(aborts(guard_holds("c"), "self"));
    let always = aborts(guard_holds("d"), "self").set("mode", "poll");
    let both = [by_agent.clone(), starts("b").guard(always)];
    let mut play = Play::new(by_agent).with(|runner| runner.guards_on_wake(true));
    play.flag("c", true);
    play.poll(0.0);
    assert_eq!(play.wake(), None);
    play.flag("c", false);
    play.poll(1.0);
    assert_eq!(play.brief(), "?c +a");
    play.runner.changed();
    assert_eq!(play.wake(), Some(1.0));
    assert_eq!(play.poll(2.0), F);
    assert_eq!(play.brief(), "?c a:A");

    let both = of("parallel", both).extra("success", 2);
    let mut play = Play::new(both).with(|runner| runner.guards_on_wake(true));
    play.flag("c", true).flag("d", true);
    play.polls::<2>();
    assert_eq!(play.brief(), "?c +a ?d +b ?d", "one asks for every poll");
    assert_eq!(play.wake(), Some(0.0));
    play.runner.set_guards_on_wake(false);
    play.again();
    assert_eq!(play.brief(), "?c ?d");
    play.finish();
}

#[test]
fn guards_that_the_host_wakes_wait_for_no_turn() {
    let by_agent = starts("a").guard(aborts(guard_holds("c"), "self"));
    let (mut play, next) = begun(of("parallel", [by_agent, polled("p")]).extra("success", 2));
    play.runner.set_guards_on_wake(true);
    play.poll(next);
    assert_eq!(play.brief(), "~p");
    play.runner.changed();
    play.poll(next + 0.001);
    assert_eq!(play.brief(), "?c");
    is_near(&play, next + PERIOD);
    play.finish();
}

#[test]
fn period_of_no_time_is_refused() {
    let mut trees = TreeSet::<Probe>::new();
    let root = node("root")
        .extra("every", json!(0))
        .child(condition("holds").arg("c"));
    trees.add(TreeAsset::build("main", "probe", root));
    let error = trees.build().unwrap_err().to_string();
    assert!(
        error.contains("`every`: expected more than 0, found 0"),
        "{error}"
    );
}

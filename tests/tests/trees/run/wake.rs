//! `next_wake`: polled only when it says so, an agent does what it does when it is polled all the
//! time.

use std::time::Duration;

use bt_core::tree::asset::spec::{NodeSpec, parallel, reactive_select, select, sequence};
use bt_tests::probe::*;
use proptest::prelude::*;

const STEP: Duration = Duration::from_millis(10);
const END: Duration = Duration::from_millis(600);

/// A tree of timers.
#[derive(Debug, Clone)]
struct Clockwork {
    kind: &'static str,
    steps: u8,
    children: Vec<Clockwork>,
}

fn clockwork() -> impl Strategy<Value = Clockwork> {
    let leaves = ["wait", "wait", "now", "fails", "after", "forever"];
    let leaf =
        (prop::sample::select(leaves.to_vec()), 0..9u8).prop_map(|(kind, steps)| Clockwork {
            kind,
            steps,
            children: Vec::new(),
        });
    leaf.prop_recursive(4, 24, 3, |inner| {
        let many = [
            "sequence",
            "select",
            "both",
            "race",
            "any",
            "reactive",
            "always_seq",
        ];
        let one = [
            "timeout", "delay", "cooldown", "repeat", "until", "loop", "negative", "frames",
            "serve",
        ];
        let many = prop::sample::select(many.to_vec());
        let one = prop::sample::select(one.to_vec());
        let make = |(kind, steps, children)| Clockwork {
            kind,
            steps,
            children,
        };
        prop_oneof![
            (many, 0..9u8, prop::collection::vec(inner.clone(), 1..4)).prop_map(make),
            (one, 0..9u8, inner.prop_map(|child| vec![child])).prop_map(make),
        ]
    })
}

fn build(tree: &Clockwork, count: &mut u32) -> NodeSpec {
    *count += 1;
    let name = format!("l{count}");
    let seconds = f64::from(tree.steps) * STEP.as_secs_f64();
    let mut children: Vec<_> = tree
        .children
        .iter()
        .map(|child| build(child, count))
        .collect();
    let number = i64::from(tree.steps);
    let all = children.len() as u32;
    if tree.children.len() == 1 && !matches!(tree.kind, "sequence" | "select") {
        let child = children.remove(0);
        return match tree.kind {
            "timeout" | "delay" | "cooldown" => timed(tree.kind, seconds + 0.01, child),
            "repeat" => times("repeat", -1, child),
            "until" => times("until_success", number, child),
            "loop" | "frames" => times(tree.kind, number, child),
            "serve" => child.service(
                seconds + 0.01,
                bt_core::tree::asset::spec::call("note").arg(name),
            ),
            _ => of("negative", [child]),
        };
    }
    match tree.kind {
        "wait" => wait(seconds),
        "now" => now(&format!("s{name}")),
        "fails" => now(&format!("f{name}")),
        "after" => sequence([wait(seconds), now(&format!("s{name}"))]),
        "forever" => starts(&name),
        "select" => select(children),
        "both" => parallel(all, 1, children),
        "race" => parallel(1, all, children),
        "any" => of("parallel", children),
        "reactive" => reactive_select(children),
        "always_seq" => of("always_seq", children),
        _ => sequence(children),
    }
}

/// The log with times, if the agent is polled when `next` says so.
fn log(tree: &Clockwork, mut next: impl FnMut(&Play, Duration) -> Option<Duration>) -> Vec<String> {
    let mut play = Play::new(build(tree, &mut 0));
    for number in 0..100 {
        play.always(&format!("fl{number}"), false);
    }
    let (mut now, mut all) = (Duration::ZERO, Vec::new());
    loop {
        let status = play.poll_at(now);
        let lines = play.log();
        all.extend(lines.into_iter().map(|line| format!("{now:?}: {line}")));
        match next(&play, now) {
            Some(next) if status == R && next <= END => now = next,
            _ => return all,
        }
    }
}

proptest! {
    #[test]
    fn polling_only_at_next_wake_is_as_good_as_polling_all_the_time(tree in clockwork()) {
        let often = log(&tree, |_, now| Some(now + STEP));
        let rarely = log(&tree, |play, now| {
            let wake = play.runner.next_wake()?;
            // As soon as there is a next poll, or then.
            Some(wake.max(now + STEP))
        });
        prop_assert_eq!(often, rarely);
    }
}

#[test]
fn next_wake_is_none_where_only_an_event_or_a_completion_helps() {
    let mut play = Play::new(sequence([starts("a"), wait(1.0)]));
    assert_eq!(play.wake(), Some(0.0), "it is due");
    play.poll(5.0);
    assert_eq!(play.wake(), None);
    play.end("a", true);
    assert_eq!(play.wake(), Some(5.0), "it was woken");
    play.poll(6.0);
    assert_eq!(play.wake(), Some(7.0));
    play.fire("go");
    assert_eq!(play.wake(), Some(6.0));
    assert_eq!(play.poll(7.0), S);
    assert_eq!(play.wake(), None);
}

#[test]
fn next_wake_is_the_earliest_of_all_times() {
    let all = [wait(3.0), wait(1.0), timed("timeout", 2.0, starts("a"))];
    let mut play = Play::new(parallel(3, 1, all));
    play.poll(0.0);
    let mut wakes = vec![play.wake()];
    play.poll(1.0);
    wakes.push(play.wake());
    assert_eq!(wakes, [Some(1.0), Some(2.0)]);
    assert_eq!(play.poll(2.0), F);
    assert_eq!(play.wake(), None);
}

#[test]
fn request_outside_of_a_poll_schedules_a_wake() {
    let mut play = Play::new(starts("a"));
    play.poll(0.0);
    assert_eq!(play.wake(), None);
    play.runner.reset();
    assert!(play.wake().is_some());
    play.poll(0.0);
    play.poll(0.0);
    assert_eq!(play.wake(), None);
    play.runner.load("main").unwrap();
    assert!(play.wake().is_some());
    play.poll(0.0);
    let id = play.runner.active_leaves()[0].id;
    play.runner.finish(id, true);
    assert!(play.wake().is_some());
    assert_eq!(play.poll(0.0), S);
    play.runner.start();
    assert!(play.wake().is_some());
}

#[test]
fn reset_and_load_of_a_tree_that_rests_want_the_next_poll() {
    let idle = || Play::new(starts("a"));
    let ended = || {
        let mut play = Play::new(now("a"));
        play.poll(2.0);
        assert_eq!((play.runner.result(), play.wake()), (Some(true), None));
        play
    };
    let stopped = || {
        let mut play = Play::new(starts("a"));
        play.poll(2.0);
        play.stop();
        play
    };
    for mut play in [ended(), stopped()] {
        play.runner.reset();
        assert_eq!(play.wake(), Some(2.0));
        play.runner.pause();
        assert_eq!(play.wake(), None);
        play.runner.resume();
        play.poll(3.0);
        assert!(play.brief().contains('a'));
    }
    let mut play = ended();
    play.runner.load("main").unwrap();
    assert_eq!(play.wake(), Some(2.0));
    // What is loaded where nothing was started waits for the start.
    let mut play = idle();
    play.stop();
    play.runner.load("main").unwrap();
    assert_eq!(play.wake(), None);
    play.runner.reset();
    assert_eq!(play.wake(), Some(0.0));
}

#[test]
fn times_of_what_was_aborted_are_forgotten() {
    let timed = timed("timeout", 2.0, starts("a"));
    let served = starts("b").service(2.0, bt_core::tree::asset::spec::call("note").arg("served"));
    let mut play = Play::new(parallel(
        2,
        1,
        [timed, paired("n", of("negative", [served]))],
    ));
    play.poll(0.0);
    play.stop();
    assert_eq!(play.wake(), None);
    play.poll(1.0);
    play.runner.start();
    play.poll(1.5);
    play.log();
    // The times of the first run are over, those of the second are not.
    assert_eq!(play.poll(2.5), R);
    assert_eq!(play.brief(), "");
    assert_eq!(play.wake(), Some(3.5));
    assert_eq!(play.poll(3.5), F);
}

#[test]
fn a_key_of_a_tree_that_has_ended_wakes_nobody() {
    let keys = serde_json::json!({"calm": {"type": "bool", "initial": true, "scope": "tree"}});
    let guard = guard_key("calm").set("abort", "self");
    let callee = of("root", [starts("a").guard(guard)]).extra("blackboard", keys);
    let main = parallel(
        2,
        1,
        [bt_core::tree::asset::spec::sub_tree("callee"), starts("b")],
    );
    let mut play = Play::trees([("main", main), ("callee", callee)]);
    play.poll(0.0);
    assert_eq!(play.brief(), "+a +b");
    play.end("a", true);
    assert_eq!(play.poll(1.0), R);
    assert_eq!(play.wake(), None);
}

//! Tests of reports where nothing seems to be wrong.

use bt_core::prelude::*;
use bt_core::tree::asset::spec::{action, call, condition, guard, node, sequence, wait_event};
use bt_core::{Runner, TreeAsset, TreeSet};
use bt_tests::probe::Probe;
use std::time::Duration;

fn runner(top: bt_core::tree::asset::spec::NodeSpec) -> Runner<Probe> {
    let mut trees = TreeSet::<Probe>::new();
    trees.add(TreeAsset::build("main", "probe", top));
    Runner::new(&trees.build().unwrap(), "main").unwrap()
}

fn told(runner: &mut Runner<Probe>) -> Vec<String> {
    let all = runner.take_diagnostics();
    all.iter().map(ToString::to_string).collect()
}

#[test]
fn a_runner_that_was_never_started_says_so_once() {
    let mut runner = runner(action("nop"));
    runner.load("main").unwrap();
    for _ in 0..3 {
        runner.poll(&mut Probe::default(), Duration::ZERO);
    }
    assert_eq!(
        told(&mut runner),
        ["main: it was polled, and never started: call `start()` first"]
    );
    runner.start();
    runner.poll(&mut Probe::default(), Duration::ZERO);
    assert_eq!(told(&mut runner), [""; 0]);
}

#[test]
fn unknown_event_is_reported_once() {
    let mut runner = runner(sequence([wait_event("heard"), wait_event("heard")]));
    runner.start();
    for _ in 0..3 {
        runner.fire(Event::new("herd"));
        runner.poll(&mut Probe::default(), Duration::ZERO);
    }
    assert_eq!(
        told(&mut runner),
        [
            "main: event `herd` was fired, which nothing waits for and no agent registers; did you \
             mean `heard`?"
        ]
    );
    runner.fire(Event::new("heard"));
    runner.poll(&mut Probe::default(), Duration::ZERO);
    assert_eq!(told(&mut runner), [""; 0]);
}

/// Panics when it is dropped.
struct Brittle;

impl Drop for Brittle {
    fn drop(&mut self) {
        panic!("it broke");
    }
}

#[derive(Agent)]
struct Porter;

#[agent]
impl Porter {
    #[action]
    fn carry(cx: &mut Context, seconds: f64) -> Option<bool> {
        cx.on_exit(Brittle);
        match seconds {
            0.0 => Some(true),
            seconds => {
                cx.finish_after(Duration::from_secs_f64(seconds), true);
                None
            }
        }
    }
}

#[test]
fn panic_in_the_drop_of_a_guard_is_reported_and_the_tree_continues() {
    let carry = |seconds| action("carry").arg(seconds);
    let top = sequence([carry(0.0), carry(1.0), carry(9.0)]);
    let mut trees = TreeSet::<Porter>::new();
    trees.add(TreeAsset::build("main", "porter", top));
    let mut runner = Runner::new(&trees.build().unwrap(), "main").unwrap();
    runner.start();
    runner.poll(&mut Porter, Duration::ZERO);
    runner.poll(&mut Porter, Duration::from_secs(1));
    assert_eq!(runner.next_wake(), Some(Duration::from_secs(10)));
    runner.stop(&mut Porter, Duration::from_secs(2));
    assert!(!runner.is_running());
    let told = runner.take_diagnostics();
    let nodes: Vec<_> = told.iter().map(|told| told.node()).collect();
    assert_eq!(nodes, [Some(2), Some(3), Some(4)], "{told:?}");
    assert_eq!(
        told[0].message(),
        "a guard panicked when it was dropped: it broke"
    );
}

#[test]
fn key_beside_extra_is_warned_of() {
    let mut asset = TreeAsset::build("main", "probe", sequence([node("always_running")]));
    let first = asset.root().children()[0];
    let keys = &mut asset.node_mut(first).unwrap().others;
    keys.insert("services".to_owned(), serde_json::json!([]));
    keys.insert("painted_by".to_owned(), serde_json::json!("anybody"));
    let mut trees = TreeSet::<Probe>::new();
    let trees = trees.add(asset).build().unwrap();
    let warnings: Vec<_> = trees.warnings().iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "main: node 1: `services` is beside `extra`, where it has no meaning; move it inside: \
             \"extra\": {\"services\": …}"
        ]
    );
}

#[test]
fn unknown_event_is_reported_where_nobody_runs_to_take_it() {
    let mut runner = runner(wait_event("heard"));
    runner.start();
    runner.poll(&mut Probe::default(), Duration::ZERO);
    runner.stop(&mut Probe::default(), Duration::ZERO);
    for name in ["heard", "herd", "herd"] {
        runner.fire(Event::new(name));
    }
    let [report] = &told(&mut runner)[..] else {
        panic!("of one that the agent knows nothing is said");
    };
    assert!(
        report.contains("`herd`") && report.ends_with("did you mean `heard`?"),
        "{report}"
    );
}

#[test]
fn unknown_events_of_many_names_are_reported_a_few_times() {
    let mut runner = runner(wait_event("heard"));
    runner.start();
    for name in 0..1_000 {
        runner.fire(Event::new(format!("strange{name}")));
        runner.poll(&mut Probe::default(), Duration::ZERO);
    }
    let told = told(&mut runner);
    assert_eq!(told.len(), 8);
    assert!(
        told[7].ends_with("; more of such names are not reported"),
        "{}",
        told[7]
    );
    assert!(!told[6].contains("not reported"));
}

/// Asks to be finished later, and ends as it is told.
#[derive(Agent)]
struct Hasty;

#[agent]
impl Hasty {
    #[event]
    fn bell();

    #[action(exit = "leave")]
    fn act(cx: &mut Context, asks: &str, ends: &str) -> Result<Option<bool>, String> {
        match asks {
            "time" => cx.finish_after(Duration::from_secs(1), true),
            "polls" => cx.finish_after_polls(3, true),
            "event" => cx.finish_on("bell", true),
            "completion" => drop(cx.completion()),
            _ => {}
        }
        match ends {
            "success" => Ok(Some(true)),
            "failure" => Ok(Some(false)),
            "reason" => Err("it cannot".to_owned()),
            _ => Ok(None),
        }
    }

    fn leave(&mut self, cx: &mut Context, exit: Exit) {
        if exit == Exit::Aborted {
            cx.finish_after(Duration::from_secs(1), true);
        }
    }

    #[action]
    fn work(cx: &mut Context, asks: &str) -> Status {
        match asks {
            "time" => cx.finish_after(Duration::from_secs(1), true),
            _ => cx.finish_on("bell", true),
        }
        Status::Running
    }

    #[condition]
    fn is_fine(cx: &mut Context) -> bool {
        cx.finish_after(Duration::from_secs(1), true);
        true
    }
}

/// The reports in three polls, after which it is stopped.
fn hasty(top: bt_core::tree::asset::spec::NodeSpec) -> Vec<String> {
    let mut trees = TreeSet::<Hasty>::new();
    trees.add(TreeAsset::build("main", "hasty", top));
    let mut runner = Runner::new(&trees.build().unwrap(), "main").unwrap();
    runner.start();
    for second in 0..3 {
        runner.poll(&mut Hasty, Duration::from_millis(100 * second));
    }
    runner.stop(&mut Hasty, Duration::from_secs(1));
    let told = runner.take_diagnostics().into_iter();
    told.filter(|told| !told.is_failure())
        .map(|told| told.message().to_owned())
        .collect()
}

#[test]
fn action_that_asks_to_be_finished_later_and_ends_at_once_is_reported_once() {
    for (asks, method) in [
        ("time", "finish_after"),
        ("polls", "finish_after_polls"),
        ("event", "finish_on"),
    ] {
        for ends in ["success", "failure"] {
            let told = hasty(action("act").arg(asks).arg(ends));
            let [report] = &told[..] else {
                panic!("{asks}, {ends}: {told:?}");
            };
            let begins = format!(
                "`act` called `{method}` and returned a result at once, so that is ignored (defined in "
            );
            assert!(report.starts_with(&begins), "{report}");
            assert!(
                report.ends_with(": only a call that returns `None` is finished later"),
                "{report}"
            );
        }
        // It may have found out in between that it fails.
        assert_eq!(hasty(action("act").arg(asks).arg("reason")), [""; 0]);
    }
    for ends in ["success", "failure"] {
        // Made before it was known whether it is needed: its answer, if one comes, is late.
        assert_eq!(hasty(action("act").arg("completion").arg(ends)), [""; 0]);
        assert_eq!(hasty(action("act").arg("nothing").arg(ends)), [""; 0]);
    }
}

#[test]
fn polled_action_that_asks_for_a_time_is_reported() {
    let told = hasty(action("work").arg("time"));
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0]
            .starts_with("`work` called `finish_after` and returned `Running`, so that is ignored")
    );
    // An event ends it.
    assert_eq!(hasty(action("work").arg("event")), [""; 0]);
}

#[test]
fn exit_method_that_asks_for_a_time_and_has_ended_is_reported() {
    let told = hasty(action("act").arg("event").arg("later"));
    assert_eq!(told.len(), 1, "{told:?}");
    let begins = "`act` called `finish_after` and returned a result from its exit method";
    assert!(told[0].starts_with(begins), "{told:?}");
}

#[test]
fn condition_and_effect_that_ask_for_a_time_are_reported() {
    let effect = call("act").arg("time").arg("success");
    for (top, name) in [
        (action("nop").guard(guard("is_fine")), "is_fine"),
        (condition("is_fine"), "is_fine"),
        (action("nop").effect("enter", effect), "act"),
    ] {
        let told = hasty(top);
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(
            told[0].starts_with(&format!("`{name}` called `finish_after`")),
            "{told:?}"
        );
    }
}

/// The reports on an agent that waits for eight seconds, and is polled at these times.
fn polled(times: impl IntoIterator<Item = f64>) -> (Vec<String>, Runner<Probe>) {
    let mut runner = runner(action("wait_for_seconds").arg(8));
    runner.start();
    for time in times {
        runner.poll(&mut Probe::default(), Duration::from_secs_f64(time));
    }
    (told(&mut runner), runner)
}

#[test]
fn runner_that_is_given_the_time_of_each_frame_says_so_once() {
    let (told, mut runner) = polled([0.016; 3_000]);
    assert_eq!(
        told,
        [
            "main: the clock stands at 16ms after 128 polls, and something waits for a time: `now` is the time \
             since the start, not since the last frame"
        ]
    );
    let line = "the clock stands at 0.016 s since the first polls: `now` is the time since the start, not since \
                the last frame";
    let explained = runner.explain().to_string();
    assert!(explained.lines().any(|found| found == line), "{explained}");
    runner.poll(&mut Probe::default(), Duration::from_secs(1));
    assert!(
        !runner.explain().to_string().contains("the clock stands"),
        "it runs now"
    );
    let (told, _) = polled((0..3_000).map(|poll| 0.016 + 0.001 * f64::from(poll * 7 % 5)));
    assert_eq!(told.len(), 1, "{told:?}");
}

#[test]
fn runner_of_a_game_that_is_paused_says_nothing_of_its_clock() {
    let runs = |frames: u32| (0..frames).map(|frame| f64::from(frame) / 60.0);
    for frames in [4, 10, 30, 60, 300] {
        let stands = [f64::from(frames) / 60.0; 3_000];
        assert_eq!(polled(runs(frames).chain(stands)).0, [""; 0], "{frames}");
    }
    // Nothing waits for a time, or it is paused by its host.
    let mut runner = runner(wait_event("heard"));
    runner.start();
    for _ in 0..1_000 {
        runner.poll(&mut Probe::default(), Duration::from_millis(16));
    }
    assert_eq!(told(&mut runner), [""; 0]);
    let mut runner = self::runner(action("wait_for_seconds").arg(8));
    runner.start();
    runner.poll(&mut Probe::default(), Duration::from_millis(16));
    runner.pause();
    for _ in 0..1_000 {
        runner.poll(&mut Probe::default(), Duration::from_millis(16));
    }
    assert_eq!(told(&mut runner), [""; 0]);
}

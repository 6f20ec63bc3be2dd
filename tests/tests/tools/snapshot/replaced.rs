//! Every number, string and list of a saved agent in turn is another one: it is refused with a reason, or
//! is an agent that runs within bounds and can be saved again.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use allocation_counter::measure;
use bt_core::tree::asset::spec::{NodeSpec, call, node, parallel, select, sequence, sub_tree};
use bt_core::{Event, Mode, Runner, Saved, TreeAsset, Trees};
use bt_tests::probe::*;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::snapshot::random::cases;

/// A saved agent, and the trees that it runs.
pub(crate) struct Subject {
    pub(crate) trees: Trees<Probe>,
    pub(crate) saved: Value,
}

impl Subject {
    pub(crate) fn of(play: &Play) -> Subject {
        Subject {
            trees: play.runner.trees().clone(),
            saved: serde_json::from_str(&play.runner.save().to_json()).unwrap(),
        }
    }
}

/// An agent in the middle of nearly everything.
pub(crate) fn busy() -> Play {
    let events = json!([{"event": "told", "tree": "other", "mode": "return", "once": true}]);
    let watched = starts("w").guard(guard_key("k").negated().set("abort", "self"));
    let lower = sequence([now("l")]).guard(guard_key("k").set("abort", "lower"));
    let luck = of("random_seq", [starts("r1"), starts("r2"), starts("r3")]);
    let main = sequence([
        of("always_true", [timed("cooldown", 60.0, now("cool"))]),
        of("once", [now("once")]),
        select([
            of("memory_sequence", [now("m"), of("negative", [now("n")])]),
            now("z"),
        ]),
        parallel(
            12,
            12,
            [
                watched,
                luck.service(2.0, call("note").arg("served")),
                times("repeat", 3, sequence([wait(9.5), now("x")])),
                timed("timeout", 30.0, node("wait_event").extra("event", "go")),
                sub_tree("other"),
                of("reactive_select", [polled("p"), starts("q")]),
                timed("delay", 12.5, now("late")),
                select([lower, starts("s")]),
                times("frames", 100, starts("f")),
                times("loop", -1, now("i")),
                parallel(1, 1, [slow("a"), wait(0.5)]),
                parallel(2, 2, [now("y"), starts("v")]).extra("rerun", true),
            ],
        ),
    ]);
    let other = sequence([sub_tree("deep"), wait(3.0)]);
    let deep = sequence([starts("d"), sub_tree("deep")]);
    let trees = [
        ("main", main.extra("events", events)),
        ("other", other),
        ("deep", deep),
    ];
    let mut play = Play::trees(trees).with(|runner| runner.seed(5));
    play.probe.plain = true;
    play.set("k", false);
    play.poll(0.0);
    play.poll(0.5);
    play
}

/// The same, suspended.
pub(crate) fn suspended() -> Play {
    let mut play = busy();
    play.runner.fire(Event::new("told"));
    play.poll(0.5);
    assert_eq!(play.runner.tree(), "other");
    play.runner.fire(Event::new("go"));
    play
}

fn event(name: &str) -> NodeSpec {
    node("wait_event").extra("event", name)
}

/// Waits for events and polls, what is kept beyond ends, and what has arrived.
fn waiting() -> Play {
    let cast = |name: &str| sequence([event("go").extra("broadcast", true), now(name)]);
    let any = parallel(1, 1, []).children([cast("any"), starts("z")]);
    let twice = [
        sequence([cast("a"), cast("b"), event("go"), now("c")]),
        sequence([event("told").extra("latch", true), frames(7), starts("d")]),
        any,
        parallel(4, 4, [polled("r"), now("s"), event("go"), frames(3)]).extra("rerun", true),
        times("until_success", -1, of("negative", [wait(0.25)])),
        of("while_loop", [holds("f"), frames(2)]),
        limits("l", 3, wait(1.5)),
        of("memory_select", [now("m"), starts("n")]),
        starts("on_event"),
        starts("on_polls"),
    ];
    let kept = sequence([
        of("always_true", [times("run_limit", 2, now("limited"))]),
        of("always_true", [times("success_until", 5, now("until"))]),
        of("always_true", [timed("cooldown", 9.0, now("cool"))]),
        of("once", [now("once")]),
        of(
            "always_true",
            [of(
                "memory_sequence",
                [now("first"), of("negative", [now("x")])],
            )],
        ),
    ]);
    let events = json!([{"event": "told", "tree": "other", "mode": "return"}]);
    let top = sequence([kept, parallel(10, 10, twice)]).extra("events", events);
    let other = sequence([wait(1.0), now("o")]);
    let mut play = Play::trees([("main", top), ("other", other)]).with(|runner| {
        runner
            .seed(3)
            .mode(Mode::Loop)
            .keep_results(true)
            .budget(300)
    });
    play.probe.plain = true;
    play.flag("f", true);
    play.reply("on_event", [Reply::Event("go", false)]);
    play.reply("on_polls", [Reply::Polls(5, true)]);
    play.set("gold", 12.5).set("names", json!(["a", {"b": 3}]));
    play.poll(0.0);
    play.runner.fire(Event::new("nobody_knows"));
    play.poll(0.25);
    play.runner
        .fire(Event::new("go").with("n", 7).with("list", json!([1, 2])));
    play.fire("told");
    let leaf = play.runner.active_leaves().last().unwrap().id;
    play.runner.finish(leaf, true);
    play
}

/// Its actions had completions and guards.
fn pending() -> Play {
    let top = parallel(
        4,
        4,
        [starts("a"), slow("b"), polled("p"), starts("dropped")],
    );
    let mut play = Play::new(sequence([top, now("z")]));
    play.poll(0.0);
    play.end("a", true);
    play
}

/// Races, a guard, a time-out, a reactive node and a transfer whose losers are still cancelling.
pub(crate) fn cancelling() -> Play {
    let taken = sequence([now("l")]).guard(guard_key("k").set("abort", "lower"));
    let top = parallel(
        4,
        4,
        [
            sequence([parallel(1, 1, [slow("a"), wait(0.5)]), now("y")]),
            select([
                timed("timeout", 0.5, sequence([slow("b"), now("x")])),
                starts("v"),
            ]),
            select([taken, slow("c")]).service(2.0, call("note").arg("served")),
            of("reactive_select", [polled("p"), starts("q")]),
        ],
    );
    let mut play = Play::new(top);
    play.probe.plain = true;
    play.poll(0.0);
    play.set("k", true);
    play.poll(0.5);
    play
}

/// Two branches, of which the other one is a tree with a key of its own.
fn with_scoped(top: NodeSpec) -> Play {
    const SCOPED: &str = r#"{"nodes": [
        {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "probe", "blackboard": {
            "own": {"type": "int32", "initial": 1, "scope": "tree"},
            "hp": {"type": "int32", "initial": 100}}}},
        {"idx": 1, "type": "action", "children": [], "extra": {"action_name": "wait_for_seconds",
            "action_args": [{"arg_type": "plain", "arg_value": 1}]}}
    ]}"#;
    let top = parallel(2, 2, [slow("a"), sequence([wait(0.5), top])]);
    let main = TreeAsset::build("main", "probe", top);
    let scoped = TreeAsset::from_json("scoped", SCOPED).unwrap();
    let mut play = Play::of([main, scoped]).unwrap();
    play.probe.plain = true;
    play.poll(0.0);
    play
}

fn calls_scoped() -> NodeSpec {
    let args = json!({"own": {"arg_type": "plain", "arg_value": 7}});
    sub_tree("scoped").extra("args", args)
}

/// A tree that another one called, with keys of its own.
fn called() -> Play {
    let mut play = with_scoped(calls_scoped());
    play.poll(0.5);
    play
}

/// A transfer waits for what is cancelling; it hands a value over.
fn transferred() -> Play {
    let mut play = with_scoped(calls_scoped().extra("mode", "transfer"));
    play.poll(0.5);
    play
}

/// It was stopped, is still cancelling, and is to start again.
fn stopped() -> Play {
    let mut play = with_scoped(now("z"));
    play.stop();
    play.runner.start();
    play
}

/// It is paused, and the host asked for two things.
fn paused() -> Play {
    let mut play = with_scoped(now("z"));
    play.runner.pause();
    play.poll(3.0);
    play.runner.load("scoped").unwrap();
    play.runner.reset();
    play
}

const SUBJECTS: [fn() -> Play; 9] = [
    busy,
    suspended,
    waiting,
    pending,
    cancelling,
    called,
    transferred,
    stopped,
    paused,
];

/// The time of a poll, on a clock that says something else than the one that was saved on.
fn time(poll: u64) -> Duration {
    Duration::from_secs(1_000 + poll)
}

/// What happens to an agent before a poll.
fn act(runner: &mut Runner<Probe>, probe: &mut Probe, poll: u64) {
    match poll % 7 {
        0 => runner.fire(Event::new("go").with("n", 1)),
        1 => runner.fire(Event::new("told").with("what", 2)),
        2 => runner.blackboard().set("k", poll.is_multiple_of(2)),
        3 => {
            if let Some(leaf) = runner.active_leaves().get(poll as usize % 3) {
                runner.finish(leaf.id, poll.is_multiple_of(2));
            }
        }
        4 => {
            runner.fire(Event::new(format!("unknown {poll}")));
        }
        5 => {
            runner.picture();
            drop(runner.explain());
            runner.active_nodes();
        }
        _ => {}
    }
    match poll {
        9 => runner.resume(),
        14 => runner.stop(probe, time(poll)),
        16 => runner.start(),
        _ => {}
    }
}

fn agent() -> Probe {
    let mut probe = Probe::default();
    probe.plain = true;
    probe.flags.insert("f".to_owned(), true);
    probe
}

/// An agent from what was saved of it, which can be restored.
fn again(trees: &Trees<Probe>, text: &str) -> Runner<Probe> {
    let saved = Saved::from_json(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let again = Runner::restore(trees, &saved);
    again.unwrap_or_else(|error| panic!("saved again, {error}: {text}"))
}

/// Runs what was restored, and beside it the same agent saved and restored now and then: both do the same.
fn run(trees: &Trees<Probe>, restored: Runner<Probe>) {
    let mut both = [again(trees, &restored.save().to_json()), restored];
    let mut probes = [agent(), agent()];
    for poll in 0..20 {
        for (runner, probe) in both.iter_mut().zip(&mut probes) {
            act(runner, probe, poll);
            runner.poll(probe, time(poll));
        }
        let [saved, straight] = &mut probes;
        assert_eq!(saved.log.take(), straight.log.take(), "in poll {poll}");
        if matches!(poll, 0 | 1 | 2 | 5 | 9 | 13 | 15 | 19) {
            let [saved, straight] = [0, 1].map(|which| both[which].save().to_json());
            assert_eq!(saved, straight, "after poll {poll}");
            both[0] = again(trees, &saved).at(time(poll));
        }
    }
}

/// How much memory an agent may take at most that has a few dozen nodes.
const MOST: u64 = 4 << 20;

/// Restores an agent and runs it; whether it was refused, and else what is wrong.
fn fault(trees: &Trees<Probe>, saved: &Value) -> Result<bool, String> {
    let text = saved.to_string();
    let mut refused = false;
    let mut outcome = Ok(());
    let memory = measure(|| {
        outcome = catch_unwind(AssertUnwindSafe(|| {
            let restored = Saved::from_json(&text).and_then(|saved| Runner::restore(trees, &saved));
            match restored {
                Ok(runner) => run(trees, runner),
                Err(why) => {
                    assert!(!why.to_string().is_empty());
                    refused = true;
                }
            }
            let saved = Saved::from_json(&text);
            let restarted = saved.and_then(|saved| Runner::restore_or_restart(trees, &saved));
            if let Ok(mut runner) = restarted
                && refused
            {
                let mut probe = agent();
                for poll in 0..3 {
                    act(&mut runner, &mut probe, poll);
                    runner.poll(&mut probe, time(poll));
                }
                // A paused agent has not moved yet: it is still one of older trees.
                let saved = Saved::from_json(&runner.save().to_json()).unwrap();
                let again = Runner::restore_or_restart(trees, &saved);
                drop(again.unwrap_or_else(|error| panic!("saved again, {error}")));
            }
        }));
    });
    if let Err(panic) = outcome {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        return Err(text.unwrap_or_default());
    }
    if memory.bytes_max > MOST {
        return Err(format!("it took {} bytes", memory.bytes_max));
    }
    Ok(refused)
}

/// Every value inside, by its pointer.
fn pointers(value: &Value, at: &str, into: &mut Vec<String>) {
    into.push(at.to_owned());
    match value {
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                pointers(item, &format!("{at}/{i}"), into);
            }
        }
        Value::Object(map) => {
            for (key, item) in map {
                pointers(item, &format!("{at}/{key}"), into);
            }
        }
        _ => {}
    }
}

/// Numbers for the place of one.
fn numbers(number: &Value) -> Vec<Value> {
    let mut all = vec![
        json!(0),
        json!(1),
        json!(u32::MAX),
        json!((1_u64 << 47) + 1),
        json!((1_u64 << 48) + 1),
        json!(i64::MAX),
        json!(u64::MAX),
        json!(1e20),
        json!(-1),
        json!(0.5),
    ];
    if let Some(number) = number.as_u64() {
        all.push(json!(number.saturating_sub(1)));
        all.push(json!(number.saturating_add(1)));
        all.push(json!(u64::from(u32::MAX).wrapping_add(number)));
        all.push(json!(number as f64));
    }
    all
}

/// Names, and the words of the format.
const WORDS: [&str; 24] = [
    "",
    "x",
    "main",
    "other",
    "scoped",
    "go",
    "told",
    "idle",
    "due",
    "active",
    "stopping",
    "succeeded",
    "pending",
    "polled",
    "event",
    "timer",
    "turn",
    "again",
    "cancelling",
    "node",
    "enter",
    "enter_checked",
    "stop",
    "nothing",
];

/// What objects may have beside what they have.
const MORE: [(&str, &str); 24] = [
    ("entering", "3"),
    ("decided", "true"),
    ("ended", "[3, true]"),
    ("counted", "1"),
    ("succeeded", "1"),
    ("failed", "1"),
    ("ran", "[3, 3]"),
    ("until", "[3, true]"),
    ("until", "[0, true]"),
    ("on", r#"[["go", true], ["go", false]]"#),
    ("kept", "7"),
    ("completion", "true"),
    ("guards", "true"),
    ("ago", "18446744073709551615"),
    ("paused_ago", "18446744073709551615"),
    ("paused", "true"),
    ("resumed", "true"),
    ("interrupted", "true"),
    (
        "queue",
        r#"[{"event": {"name": "told"}}, {"finish": [1, null]}, {"finish": [1, true]}]"#,
    ),
    (
        "held",
        r#"[{"event": {"name": "told"}}, {"finish": [1, false]}, {"finish": [3, null]}]"#,
    ),
    (
        "wishes",
        r#"[{"load": "main"}, "stop", {"reset": true}, {"reset": false}]"#,
    ),
    ("stuck", r#"{"main": [1, 2, 2, 3], "x": [4]}"#),
    (
        "strange_events",
        r#"["1", "2", "3", "4", "5", "6", "7", "8", "9"]"#,
    ),
    (
        "latched",
        r#"[{"name": "told"}, {"name": "told"}, {"name": "x"}]"#,
    ),
];

/// Other values for the place of one.
fn others(value: &Value) -> Vec<Value> {
    let mut all = of_its_kind(value);
    all.extend([json!(null), json!(7), json!("x"), json!([1, 2]), json!({})]);
    all.retain(|other| other != value);
    all
}

/// Other values of the same kind.
fn of_its_kind(value: &Value) -> Vec<Value> {
    match value {
        Value::Number(_) => numbers(value),
        Value::String(_) => WORDS.iter().map(|word| json!(word)).collect(),

        Value::Bool(on) => vec![json!(!on)],
        Value::Array(items) => {
            let mut all = vec![json!([])];
            all.push(items.iter().rev().cloned().collect());
            for at in 0..items.len() {
                let (mut twice, mut less) = (items.clone(), items.clone());
                twice.insert(at, items[at].clone());
                less.remove(at);
                all.extend([twice, less].map(Value::from));
                let mut last = items.clone();
                last.push(items[at].clone());
                all.push(last.into());
            }
            all
        }
        Value::Object(map) => {
            let more = MORE.iter().filter(|(key, _)| !map.contains_key(*key));
            more.map(|(key, value)| {
                let mut map = map.clone();
                map.insert((*key).to_owned(), serde_json::from_str(value).unwrap());
                Value::Object(map)
            })
            .collect()
        }
        Value::Null => vec![json!(true)],
    }
}

/// Puts other values in the place of each that is in a saved agent.
fn check(play: fn() -> Play) {
    let Subject { trees, saved } = Subject::of(&play());
    assert_eq!(fault(&trees, &saved), Ok(false), "as it is: {saved}");
    let mut places = Vec::new();
    pointers(&saved, "", &mut places);
    let (mut faults, mut restored, mut refused) = (Vec::new(), 0, 0);
    let is_large = places.len() > 300;
    for place in places {
        let value = saved.pointer(&place).unwrap();
        // What is said of many nodes is said of a few in the small ones.
        let others = match is_large && place.starts_with("/nodes/") {
            true if value.is_number() => of_its_kind(value),
            true => Vec::new(),
            false => others(value),
        };
        for other in others {
            let mut changed = saved.clone();
            *changed.pointer_mut(&place).unwrap() = other.clone();
            match fault(&trees, &changed) {
                Ok(true) => refused += 1,
                Ok(false) => restored += 1,
                Err(why) => faults.push(format!("{place}: {value} as {other}: {why}")),
            }
        }
    }
    let count = faults.len();
    assert!(faults.is_empty(), "{count} faults\n{}", faults.join("\n"));
    assert!(restored > 50 && refused > 400, "{restored} and {refused}");
}

#[test]
fn restore_refuses_or_bounds_a_busy_agent_with_another_value() {
    check(busy);
}

#[test]
fn restore_refuses_or_bounds_a_suspended_agent_with_another_value() {
    check(suspended);
}

#[test]
fn restore_refuses_or_bounds_a_waiting_agent_with_another_value() {
    check(waiting);
}

#[test]
fn restore_refuses_or_bounds_a_cancelling_agent_with_another_value() {
    check(cancelling);
    check(transferred);
    check(stopped);
}

#[test]
fn restore_refuses_or_bounds_an_agent_with_completions_with_another_value() {
    check(pending);
}

#[test]
fn restore_refuses_or_bounds_a_paused_agent_with_another_value() {
    check(paused);
}

#[test]
fn restore_refuses_or_bounds_a_called_tree_with_another_value() {
    check(called);
}

proptest! {
    #![proptest_config(cases(300))]

    /// Several values are others, or take each other's places.
    #[test]
    fn restore_refuses_or_bounds_a_saved_agent_whose_values_change_places(
        which in any::<usize>(),
        swaps in prop::collection::vec((any::<u16>(), any::<u16>(), 0..12u8), 1..4),
    ) {
        thread_local!(static ALL: [Subject; 9] = SUBJECTS.map(|play| Subject::of(&play())));
        ALL.with(|all| {
            let Subject { trees, saved } = &all[which % all.len()];
            let mut changed = saved.clone();
            for (from, to, how) in swaps {
                let mut all = Vec::new();
                pointers(&changed, "", &mut all);
                let from = &all[usize::from(from) % all.len()];
                let to = &all[usize::from(to) % all.len()];
                let moved = changed.pointer(from).cloned().unwrap();
                match (how, changed.pointer_mut(to).unwrap()) {
                    (6.., place) => {
                        let others = others(place);
                        *place = others[from.len() * 7 % others.len()].clone();
                    }
                    (0, Value::Array(items)) => items.push(moved),
                    (1, Value::Array(items)) => items.reverse(),
                    (2, Value::Array(items)) if !items.is_empty() => {
                        items.remove(from.len() % items.len());
                    }
                    (3, Value::Array(items)) if !items.is_empty() => {
                        let twice = items[from.len() % items.len()].clone();
                        items.push(twice);
                    }
                    (_, Value::Number(number)) => {
                        let by = [1, u64::MAX, 2][usize::from(how) % 3];
                        *number = number.as_u64().unwrap_or(0).wrapping_add(by).into();
                    }
                    (_, place) if to.len() >= from.len() => *place = moved,
                    _ => {}
                }
            }
            let fault = fault(trees, &changed);
            prop_assert!(fault.is_ok(), "{}: {changed}", fault.unwrap_err());
            Ok(())
        })?;
    }
}

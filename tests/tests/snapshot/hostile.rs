//! Whatever was made of what was saved: an error, or an agent that runs. Never a panic, never a hang.

use std::time::Duration;

use bt_core::tree::asset::spec::{call, node, parallel, select, sequence, sub_tree};
use bt_core::{Event, Runner, Saved, Trees};
use bt_tests::probe::*;
use proptest::prelude::*;
use serde_json::{Value, json};

/// An agent in the middle of nearly everything.
fn busy() -> Play {
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
fn suspended() -> Play {
    let mut play = busy();
    play.runner.fire(Event::new("told"));
    play.poll(0.5);
    assert_eq!(play.runner.tree(), "other");
    play.runner.fire(Event::new("go"));
    play
}

/// Restores it if it can be, and lets it run for a while.
fn run(trees: &Trees<Probe>, text: &str) -> bool {
    let Ok(saved) = Saved::from_json(text) else {
        return false;
    };
    let both = [
        Runner::restore(trees, &saved),
        Runner::restore_or_restart(trees, &saved),
    ];
    let [restored, _] = &both;
    let is_restored = restored.is_ok();
    for (which, restored) in both.into_iter().enumerate() {
        let Ok(runner) = restored else { continue };
        let mut runner = match which {
            0 => runner.at(Duration::from_secs(3)),
            _ => runner,
        };
        let mut probe = Probe::default();
        probe.plain = true;
        // What it would write can be read.
        let again = Saved::from_json(&runner.save().to_json()).unwrap();
        assert_eq!(again, runner.save());
        for second in 0..8 {
            for leaf in runner.active_leaves() {
                if second % 3 == 2 {
                    runner.finish(leaf.id, second % 2 == 0);
                }
            }
            runner.active_nodes();
            runner.picture();
            runner.blackboard().set("k", second % 2 == 0);
            runner.fire(Event::new(if second % 5 == 0 { "told" } else { "go" }));
            runner.poll(&mut probe, Duration::from_secs(second));
        }
        runner.resume();
        runner.stop(&mut probe, Duration::from_secs(100));
        for second in 100..104 {
            runner.poll(&mut probe, Duration::from_secs(second));
        }
        runner.save();
    }
    is_restored
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

fn saved() -> [(Trees<Probe>, Value); 2] {
    [busy(), suspended()].map(|play| {
        let text = play.runner.save().to_json();
        let trees = play.runner.trees().clone();
        assert!(run(&trees, &text), "as it is, it can be restored");
        (trees, serde_json::from_str(&text).unwrap())
    })
}

/// Each value is put in the place of each that there is, and removed, and listed twice.
#[test]
fn each_value_in_turn_is_another_one() {
    let odd = [
        Value::Null,
        json!(0),
        json!(u32::MAX),
        json!(u64::MAX),
        json!("main"),
        json!({}),
        json!([1, 2]),
    ];
    for (trees, value) in saved() {
        let mut all = Vec::new();
        pointers(&value, "", &mut all);
        for pointer in all.iter().filter(|pointer| !pointer.is_empty()) {
            for other in &odd {
                let mut changed = value.clone();
                *changed.pointer_mut(pointer).unwrap() = other.clone();
                run(&trees, &changed.to_string());
            }
            let (above, key) = pointer.rsplit_once('/').unwrap();
            let mut less = value.clone();
            let mut more = value.clone();
            match (less.pointer_mut(above), more.pointer_mut(above)) {
                (Some(Value::Array(less)), Some(Value::Array(more))) => {
                    let at: usize = key.parse().unwrap();
                    less.remove(at);
                    more.insert(at, more[at].clone());
                }
                (Some(Value::Object(less)), _) => drop(less.remove(key)),
                _ => {}
            }
            run(&trees, &less.to_string());
            run(&trees, &more.to_string());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Several values take each other's places.
    #[test]
    fn values_change_their_places(
        which in any::<bool>(),
        swaps in prop::collection::vec((any::<u16>(), any::<u16>(), 0..4u8), 1..6),
    ) {
        thread_local!(static SAVED: [(Trees<Probe>, Value); 2] = saved());
        SAVED.with(|saved| {
            let (trees, value) = &saved[usize::from(which)];
            let mut changed = value.clone();
            for (from, to, how) in swaps {
                let mut all = Vec::new();
                pointers(&changed, "", &mut all);
                let from = &all[usize::from(from) % all.len()];
                let to = &all[usize::from(to) % all.len()];
                let moved = changed.pointer(from).cloned().unwrap();
                let place = changed.pointer_mut(to).unwrap();
                match (how, place) {
                    (0, Value::Array(items)) => items.push(moved),
                    (1, Value::Array(items)) => items.reverse(),
                    (2, Value::Number(number)) => {
                        let more = number.as_u64().unwrap_or(0).wrapping_add(1);
                        *number = more.into();
                    }
                    (_, place) if to.len() >= from.len() => *place = moved,
                    _ => {}
                }
            }
            run(trees, &changed.to_string());
        });
    }
}

#[test]
fn what_would_never_end_is_refused() {
    let (trees, value) = &saved()[0];
    let refused = |change: &dyn Fn(&mut Value)| {
        let mut changed = value.clone();
        change(&mut changed);
        let saved = Saved::from_json(&changed.to_string()).unwrap();
        let error = Runner::restore(trees, &saved).expect_err("it is restored");
        assert!(error.is_malformed(), "{error}");
        error.to_string()
    };
    // Runs that call one another in a circle, or themselves.
    refused(&|v| v["frames"][1]["caller"] = json!([2, 2]));
    refused(&|v| v["frames"][1]["caller"] = json!([1, 2]));
    refused(&|v| v["frames"][1]["caller"] = json!([9, 2]));
    let error = refused(&|v| v["levels"][0]["entries"][0]["at"] = json!(4711));
    assert!(error.ends_with("`main` has no node 4711"), "{error}");
    refused(&|v| v["levels"][0]["entries"].as_array_mut().unwrap().reverse());
    let order = |v: &mut Value, order: Value| {
        let states = v["states"].as_array_mut().unwrap();
        let state = states
            .iter_mut()
            .find(|state| !state["is"]["order"].is_null());
        state.unwrap()["is"]["order"][0] = order;
    };
    refused(&|v| order(v, json!([])));
    refused(&|v| order(v, json!([19, 19, 19])));
    refused(&|v| v["random"] = json!("0x"));
    // The number of a node that waits, for the next node that is entered.
    let error = refused(&|v| v["order"] = json!(0));
    assert!(error.contains("still to be entered"), "{error}");
}

#[test]
fn a_great_many_runs_are_looked_at_in_time() {
    let (trees, value) = &saved()[0];
    let mut changed = value.clone();
    let frames = changed["frames"].as_array_mut().unwrap();
    let last = frames.len();
    let one = frames[last - 1].clone();
    frames.extend(std::iter::repeat_n(one, 50_000));
    assert!(!run(trees, &changed.to_string()));
}

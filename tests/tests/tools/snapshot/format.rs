//! Tests of the saved form: small, on one line, the same for the same state, and readable for years.

use std::time::Duration;

use bt_core::tree::asset::spec::{
    NodeSpec, action, call, negative, node, parallel, select, sequence, sub_tree,
};
use bt_core::{Event, Runner, Saved};
use bt_tests::probe::*;
use serde_json::{Value, json};

/// The tree of 32 nodes that the benches run, whose last leaf waits.
fn of_32(work: NodeSpec) -> NodeSpec {
    let nop = || now("nop");
    let calm = || of("negative", [holds("angry")]);
    let angry = || holds("angry");
    let branch = [holds("calm"), sequence([nop(), nop()]), nop()];
    sequence([
        select([angry(), sequence([nop(), calm(), nop()])]),
        of("if_else", branch),
        negative(select([angry(), negative(nop())])),
        of("always_true", [sequence([nop(), angry(), nop()])]),
        select([
            sequence([angry(), nop()]),
            of("always_true", [sequence([holds("calm"), work])]),
        ]),
        nop(),
    ])
}

fn waiting(work: NodeSpec) -> Play {
    let mut play = Play::new(of_32(work)).looping();
    play.probe.plain = true;
    play.flag("calm", true);
    for poll in 0..1000 {
        play.poll(f64::from(poll) * 1e-3);
    }
    assert_eq!(play.runner.active_leaves().len(), 1);
    play
}

#[test]
fn u06_an_agent_that_waits_in_a_tree_of_32_nodes_takes_less_than_a_kilobyte() {
    let timer = waiting(wait(1e6)).runner.save();
    let event = waiting(node("wait_event").extra("event", "go"))
        .runner
        .save();
    for text in [timer.to_json(), event.to_json()] {
        assert!(text.len() <= 1024, "{}: {text}", text.len());
        // Of the nodes that are not active it names the kinds of siblings at most.
        assert!(!text.contains("nop") && !text.contains("angry"), "{text}");
    }
    let (timer, event) = (timer.compact().to_json(), event.compact().to_json());
    assert!(timer.len() <= 340, "{}: {timer}", timer.len());
    assert!(event.len() <= 270, "{}: {event}", event.len());
    for text in [timer, event] {
        // Nothing that all agents share.
        for shared in [
            "nop",
            "angry",
            "calm",
            "sequence",
            "wait_for_seconds",
            "1000000.0",
        ] {
            assert!(!text.contains(shared), "{shared}: {text}");
        }
    }
}

#[test]
fn u06_the_same_state_is_the_same_text() {
    let text = || {
        let mut play = waiting(wait(1e6));
        play.set("b", 1).set("a", json!({"y": 1, "x": 2}));
        play.runner.save().to_json()
    };
    let one = text();
    assert_eq!(one, text());
    assert!(!one.contains('\n') && !one.contains(": "));
    let value: Value = serde_json::from_str(&one).unwrap();
    let keys: Vec<_> = value.as_object().unwrap().keys().collect();
    assert!(keys.is_sorted());
}

#[test]
fn u06_what_was_saved_goes_through_serde() {
    let saved = waiting(wait(1e6)).runner.save();
    let value = serde_json::to_value(&saved).unwrap();
    assert_eq!(serde_json::from_value::<Saved>(value).unwrap(), saved);
    assert_eq!(saved.agent(), "probe");
    assert_eq!(saved.trees().collect::<Vec<_>>(), ["main"]);
    let error = serde_json::from_str::<Saved>("[]").unwrap_err();
    assert!(error.to_string().contains("`format`"), "{error}");
}

/// Trees with a bit of everything, as a file of that time was saved on.
fn everything() -> Play {
    let events = json!([{"event": "told", "tree": "other", "mode": "return", "once": true}]);
    let watched = starts("w").guard(guard_key("k").negated().set("abort", "self"));
    let luck = of("random_seq", [starts("r1"), starts("r2"), starts("r3")]);
    let main = sequence([
        of("always_true", [timed("cooldown", 60.0, now("cool"))]),
        of("once", [now("once")]),
        parallel(
            5,
            5,
            [
                watched,
                luck.service(2.0, call("note").arg("served")),
                times("repeat", -1, sequence([wait(0.5), now("x")])),
                timed("timeout", 30.0, node("wait_event").extra("event", "go")),
                sub_tree("other"),
                of("reactive_select", [polled("p"), slow("a")]),
                timed("delay", 12.5, now("late")),
            ],
        ),
    ]);
    let other = sequence([wait(3.0), now("o"), action("wait_frames").arg(50)]);
    let mut play = Play::trees([("main", main.extra("events", events)), ("other", other)])
        .with(|runner| runner.seed(5).budget(500));
    play.probe.plain = true;
    play.always("p", false);
    play.set("gold", 12.5).set("names", json!(["a", "b"]));
    play
}

fn played(play: &mut Play, from: u32, to: u32) {
    for quarter in from..to {
        if quarter == 8 || quarter == 30 {
            play.runner.fire(Event::new("told").with("what", quarter));
        }
        play.poll(f64::from(quarter) / 4.0);
    }
    play.runner.fire(Event::new("go").with("n", 7));
}

/// Of the version of bt-core that wrote format 1.
const GOLDEN: &str = "tests/tools/snapshot/format_1.json";

/// A change of the format makes this fail: agents are saved by one version and restored by the next.
#[test]
fn u06_what_format_1_wrote_is_read() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(GOLDEN);
    let mut play = everything();
    played(&mut play, 0, 11);
    let text = play.runner.save().compact().to_json() + "\n";
    if std::env::var_os("BT_WRITE_GOLDEN").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text, golden, "what is written is another than it was");
    let trees = play.runner.trees().clone();
    let saved = Saved::from_json(&golden).unwrap();
    let mut other = everything();
    other.runner = Runner::restore(&trees, &saved)
        .unwrap()
        .at(Duration::from_millis(2500));
    play.log();
    // The agents' own states are not in it.
    std::mem::swap(&mut play.probe, &mut other.probe);
    other.log();
    other.poll(2.75);
    assert_eq!(other.runner.blackboard().get("gold"), 12.5);
    assert!(other.diagnostics().is_empty());
    assert_eq!(other.runner.tree(), "other");
    assert!(other.runner.active_nodes().len() > 1);
}

/// The cause of a tree's suspension is for people: an agent that was saved without it continues as well.
#[test]
fn saved_agent_may_leave_out_what_suspended_a_tree() {
    let mut play = everything();
    played(&mut play, 0, 11);
    let saved = play.runner.save().to_json();
    let mut json: serde_json::Value = serde_json::from_str(&saved).unwrap();
    let why = json["levels"][0].as_object_mut().unwrap();
    assert!(why.remove("why").is_some(), "{saved}");
    let without = Saved::from_json(&json.to_string()).unwrap();
    let restored = Runner::restore(play.runner.trees(), &without).unwrap();
    let suspended = &restored.explain().suspended[0];
    assert_eq!((&suspended.event, suspended.since), (&None, None));
    assert_eq!(restored.save(), without);
    let with = Runner::restore(play.runner.trees(), &play.runner.save()).unwrap();
    assert_eq!(with.explain().suspended[0].event.as_deref(), Some("told"));
}

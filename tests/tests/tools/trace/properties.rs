//! A trace shows the agent's properties: all of them once, then each change, by the node that made it.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use bt_core::prelude::*;
use bt_core::trace::{JsonLines, Replay, Ring, SharedWriter, Tracer, Watch, What};
use bt_core::tree::asset::spec::{NodeSpec, action, call, node, sequence, wait_event};
use bt_core::{Mode, Runner, TreeAsset, TreeSet};
use bt_live::logs::{BehaviacLog, DebugLog};

/// A base, whose property is inherited.
#[derive(Agent, Default)]
struct Animal {
    #[property]
    hp: i32,
}

#[agent]
impl Animal {
    #[action]
    fn heal(&mut self, by: i32) {
        self.hp += by;
    }
}

#[derive(Agent, Default)]
struct Ox {
    #[agent(base)]
    animal: Animal,
    #[property(read_only)]
    load: f64,
    #[property]
    mood: String,
    asked: AtomicU32,
    rolled: Vec<i64>,
}

#[agent]
impl Ox {
    #[action]
    fn pack(&mut self, load: f64) {
        self.load = load;
    }

    #[action(exit = "drop_load")]
    fn carry(&mut self, cx: &mut Context) -> Option<bool> {
        self.mood = "tired".to_owned();
        cx.finish_after(Duration::from_secs(9), true);
        None
    }

    fn drop_load(&mut self, _: &mut Context, _: Exit) {
        self.load = 0.0;
    }

    #[action]
    fn stumble(&mut self, cx: &mut Context) -> Result<(), String> {
        self.animal.hp -= 1;
        cx.set("typed", "wrong");
        Ok(())
    }

    #[action]
    fn roll(&mut self, cx: &mut Context) {
        self.rolled.push(cx.random().int(0..=999));
    }

    /// A getter that does more than it should.
    #[property]
    fn luck(&self, cx: &mut Context) -> u64 {
        self.asked.fetch_add(1, Relaxed);
        cx.fire(Event::new("asked"));
        cx.random().int(0..=999);
        7
    }

    /// It has no JSON form.
    #[property]
    fn speed(&self) -> f64 {
        f64::INFINITY
    }

    #[property]
    const LEGS: u32 = 4;
}

fn runner(top: NodeSpec) -> Runner<Ox> {
    let keys = serde_json::json!({"typed": {"type": "int32", "initial": 0}});
    let top = node("root").extra("blackboard", keys).child(top);
    let mut trees = TreeSet::<Ox>::new();
    trees.add(TreeAsset::build("main", "ox", top));
    let trees = trees.build().unwrap();
    let mut runner = Runner::new(&trees, "main").unwrap().mode(Mode::Once);
    runner.start();
    runner
}

fn ringed(top: NodeSpec) -> Runner<Ox> {
    let runner = runner(top);
    let ring = Ring::new(runner.trees(), 1_000).bytes(100_000);
    runner.tracing(ring)
}

/// The property rows since the last call, each with the node that it is about.
fn rows(runner: &Runner<Ox>, from: &mut usize) -> Vec<String> {
    let ring = runner.tracer::<Ring>().unwrap();
    let all: Vec<_> = ring.records().collect();
    let rows = all[*from..].iter().filter_map(|record| {
        let What::PropertySet { property, value } = &record.what else {
            return None;
        };
        let place = record.at.as_ref().map_or("", |at| at.name());
        Some(format!("{place}: {property} {value}"))
    });
    let rows = rows.collect();
    *from = all.len();
    rows
}

const FIRST: [&str; 5] = [
    ": hp 0",
    ": load 0.0",
    ": luck 7",
    ": mood \"\"",
    ": speed null",
];

#[test]
fn trace_shows_all_properties_once_and_then_changes_by_node() {
    let top = sequence([
        action("pack").arg(2.5),
        action("pack").arg(2.5),
        action("heal").arg(3),
        action("carry"),
    ]);
    let mut runner = ringed(top);
    let (mut ox, mut from) = (Ox::default(), 0);
    runner.poll(&mut ox, Duration::ZERO);
    let mut expect = FIRST.to_vec();
    expect.extend(["pack: load 2.5", "heal: hp 3", "carry: mood \"tired\""]);
    assert_eq!(rows(&runner, &mut from), expect);
    // What the host changes is shown when the next poll begins.
    ox.mood = "rested".to_owned();
    runner.fire(Event::new("any"));
    runner.poll(&mut ox, Duration::from_secs(1));
    assert_eq!(rows(&runner, &mut from), [": mood \"rested\""]);
    // What an exit method changes is shown at its node.
    runner.stop(&mut ox, Duration::from_secs(2));
    assert_eq!(rows(&runner, &mut from), ["carry: load 0.0"]);
}

#[test]
fn trace_shows_what_a_call_changed_that_ended_as_an_error() {
    let mut runner = ringed(action("stumble"));
    let (mut ox, mut from) = (Ox::default(), 0);
    runner.poll(&mut ox, Duration::ZERO);
    assert_eq!(rows(&runner, &mut from).last().unwrap(), "stumble: hp -1");
    let [why] = runner.take_diagnostics().try_into().unwrap();
    assert!(why.to_string().contains("`typed` is declared"), "{why}");
}

#[test]
fn trace_shows_what_effects_and_services_change() {
    let top = node("always_running")
        .effect("enter", call("heal").arg(1))
        .service(1.0, call("heal").arg(10));
    let mut runner = ringed(top);
    let (mut ox, mut from) = (Ox::default(), 0);
    runner.poll(&mut ox, Duration::ZERO);
    assert_eq!(rows(&runner, &mut from)[5..], [": hp 1", ": hp 11"]);
    runner.poll(&mut ox, Duration::from_secs(1));
    assert_eq!(rows(&runner, &mut from), [": hp 21"]);
}

#[test]
fn untraced_agent_reads_no_properties() {
    let mut runner = runner(sequence([action("heal").arg(1), action("carry")]));
    let mut ox = Ox::default();
    runner.poll(&mut ox, Duration::ZERO);
    runner.stop(&mut ox, Duration::ZERO);
    assert_eq!(ox.asked.load(Relaxed), 0);
}

#[test]
fn traced_agent_does_the_same_as_one_that_is_not() {
    let run = |mut runner: Runner<Ox>| {
        let mut ox = Ox::default();
        for _ in 0..3 {
            runner.poll(&mut ox, Duration::ZERO);
            runner.start();
        }
        (ox.rolled, runner.take_diagnostics().len())
    };
    let top = || sequence([action("roll"), action("heal").arg(1), action("roll")]);
    assert_eq!(run(ringed(top())), run(runner(top())));
}

#[test]
fn replay_knows_the_properties_at_any_record_from_any_snapshot() {
    let top = node("repeat")
        .extra("count", -1)
        .child(sequence([action("heal").arg(1), wait_event("go")]));
    let runner = runner(top);
    // Small, so that it has snapshots.
    let ring = Ring::new(runner.trees(), 64).bytes(8_000);
    let mut runner = runner.tracing(ring);
    let mut ox = Ox::default();
    for round in 1..100 {
        runner.poll(&mut ox, Duration::ZERO);
        runner.fire(Event::new("go"));
        let mut replay = Replay::new();
        for record in runner.tracer::<Ring>().unwrap().records() {
            replay.apply(&record).unwrap();
        }
        assert!(replay.has_begun());
        assert_eq!(replay.picture().properties["hp"], round);
        assert_eq!(*replay.picture(), runner.picture());
    }
}

/// The output of a sink for a property.
fn written<T: Tracer>(sink: impl FnOnce(SharedWriter<Vec<u8>>) -> T) -> Vec<String> {
    let shared = SharedWriter::new(Vec::new());
    let mut runner = runner(action("pack").arg(2.5)).tracing(sink(shared.clone()));
    runner.poll(&mut Ox::default(), Duration::ZERO);
    drop(runner);
    let text = String::from_utf8(shared.into_inner().unwrap()).unwrap();
    let lines = text.lines().filter(|line| line.contains("load"));
    lines.map(|line| line.trim().to_owned()).collect()
}

#[test]
fn sinks_write_property_changes() {
    let rows = written(|to| DebugLog::new(to, "ox#7"));
    assert!(rows.iter().all(|row| !row.contains("property")), "{rows:?}");
    let lines = written(JsonLines::new);
    assert_eq!(
        lines.last().unwrap(),
        r#"{"ns":0,"poll":1,"at":[0,1],"tree":"main","type":"action","name":"pack","cmd":"property_set","property":"load","value":2.5}"#
    );
    let lines = written(|to| BehaviacLog::new(to, "farm::Ox", "ox_7"));
    assert_eq!(
        lines.last().unwrap(),
        "[1/1/1970 12:00:00 AM][property]farm::Ox#ox_7 double load->2.5"
    );
    let words = written(Watch::new);
    assert!(words[0].ends_with("property `load` is 0.0"), "{words:?}");
    assert!(
        words[1].ends_with("changes property `load` to 2.5"),
        "{words:?}"
    );
}

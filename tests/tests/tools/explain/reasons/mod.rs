//! Reasons for standing still, one each, planted: the runner names the cause and the node whether it is traced
//! or not, and its trace alone says the same in the same words.

mod failing;
mod refused;
mod waiting;
mod whole;

use std::any::Any;
use std::time::Duration;

use bt_core::explain::{Explainer, Explanation};
use bt_core::prelude::*;
use bt_core::trace::{JsonLines, read_lines};
use bt_core::tree::asset::spec::{
    NodeSpec, action, condition, guard, node, parallel, reactive_select, select, sequence,
    sub_tree, wait_event,
};
use bt_core::{Mode, Runner, TreeAsset, TreeSet};
use bt_tests::probe::agree;
use serde_json::{Value, json};

#[derive(Agent, Default)]
struct Troll {
    completions: Vec<Completion>,
    angry: bool,
}

#[agent]
impl Troll {
    /// Waits for what it is told to wait for.
    #[action]
    fn rests(&mut self, cx: &mut Context, until: &str) -> Option<bool> {
        match until {
            "time" => cx.finish_after(Duration::from_millis(2_500), true),
            "polls" => cx.finish_after_polls(5, true),
            "completion" => self.completions.push(cx.completion()),
            "dropped completion" => drop(cx.completion()),
            "nothing" => {}
            event => cx.finish_on(event, true),
        }
        None
    }

    /// Is slow to cancel.
    #[action(exit = "tidy")]
    fn digs(&mut self, cx: &mut Context) -> Option<bool> {
        self.completions.push(cx.completion());
        None
    }

    fn tidy(&mut self, _cx: &mut Context, exit: Exit) -> Option<bool> {
        (exit != Exit::Aborted).then_some(true)
    }

    #[action]
    fn chases(&mut self, _prey: u64) -> Status {
        Status::Running
    }

    #[action]
    fn roars(&mut self) {}

    #[action]
    fn shoots(&mut self) -> Result<(), String> {
        Err("no ammo".to_owned())
    }

    #[action]
    fn stumbles(&mut self) {
        panic!("there is a hole");
    }

    #[condition]
    fn angry(&self) -> bool {
        self.angry
    }

    #[condition]
    fn near(range: f64) -> bool {
        range < 9.0
    }

    #[event]
    fn heard();

    #[event]
    fn hit(hard: u32);
}

/// A troll that stands still.
struct Planted {
    troll: Troll,
    runner: Runner<Troll>,
}

impl Planted {
    fn set(&mut self, key: &str, value: impl Into<Value>) -> &mut Planted {
        self.runner.blackboard().set(key, value);
        self
    }

    fn poll(&mut self, seconds: f64) -> &mut Planted {
        let now = Duration::from_secs_f64(seconds);
        self.runner.poll(&mut self.troll, now);
        self
    }

    fn stop(&mut self, seconds: f64) {
        let now = Duration::from_secs_f64(seconds);
        self.runner.stop(&mut self.troll, now);
    }

    /// The explanation from the trace alone; it ends there.
    fn traced_at(&mut self, now: Duration) -> Explanation {
        let tracer: Box<dyn Any> = self.runner.set_tracer(None).expect("it was traced");
        let lines = *tracer.downcast::<JsonLines<Vec<u8>>>().expect("lines");
        let mut explainer = Explainer::new();
        for line in read_lines(&*lines.finish().unwrap()) {
            explainer.apply(&line.unwrap().1).unwrap();
        }
        explainer.explain_at(now).expect("it is explained")
    }
}

/// Lets a troll stand still for a reason that the explanation at a time must name; of several trees the first
/// one runs.
fn trees(
    trees: &[(&str, NodeSpec)],
    plant: impl Fn(&mut Planted),
    seconds: f64,
    expected: &[&str],
) {
    let mut set = TreeSet::<Troll>::new();
    for (name, top) in trees {
        set.add(TreeAsset::build(*name, "troll", top.clone()));
    }
    let set = set.build().unwrap_or_else(|error| panic!("{error}"));
    let now = Duration::from_secs_f64(seconds);
    let names_it = |words: &str, whose: &str| {
        for line in expected {
            assert!(words.contains(line), "{whose}: no `{line}` in\n{words}");
        }
    };
    for is_traced in [false, true] {
        let mut runner = Runner::new(&set, trees[0].0).unwrap();
        if is_traced {
            runner.set_tracer(Some(Box::new(JsonLines::new(Vec::new()))));
        }
        let troll = Troll::default();
        let mut planted = Planted { troll, runner };
        plant(&mut planted);
        let live = planted.runner.explain_at(now);
        names_it(&live.to_string(), "the runner");
        if is_traced {
            let traced = planted.traced_at(now);
            agree(&live, &traced);
            names_it(&traced.to_string(), "the trace");
            assert_eq!(reasons(&traced), reasons(&live));
        }
    }
}

/// The words but for the number of the last poll; a trace also knows what became of events.
fn reasons(explanation: &Explanation) -> String {
    let words = explanation.to_string();
    let lines = words.lines().skip(1);
    let lines: Vec<_> = lines.filter(|line| !line.starts_with("event: ")).collect();
    lines.join("\n")
}

/// The same of one tree, which was started.
fn reason(top: NodeSpec, plant: impl Fn(&mut Planted), seconds: f64, expected: &[&str]) {
    let start = |planted: &mut Planted| {
        planted.runner.start();
        plant(planted);
    };
    trees(&[("main.json", top)], start, seconds, expected);
}

/// It is polled at these seconds.
fn polls<const N: usize>(seconds: [f64; N]) -> impl Fn(&mut Planted) {
    move |planted| {
        for seconds in seconds {
            planted.poll(seconds);
        }
    }
}

fn rests(until: &str) -> NodeSpec {
    action("rests").arg(until)
}

fn timed(kind: &str, seconds: f64, child: NodeSpec) -> NodeSpec {
    node(kind).extra("seconds", seconds).child(child)
}

//! A trace has a row of a call if the call was made, and of a write if something was written.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use bt_core::prelude::*;
use bt_core::trace::{Ring, What};
use bt_core::tree::asset::spec::{NodeSpec, action, call, decorator, node, sequence};
use bt_core::{Runner, TreeAsset, TreeSet};
use serde_json::json;

#[derive(Agent, Default)]
struct Cart {
    pulls: u32,
    reads: AtomicU32,
    broken: bool,
}

#[agent]
impl Cart {
    #[action]
    fn pull(&mut self, cx: &mut Context, weight: u32) {
        self.pulls += weight;
        cx.set("pulled", self.pulls);
    }

    #[action]
    fn roll(&mut self, _speed: f64) -> Status {
        Status::Running
    }

    #[decorator]
    fn brake(&mut self, _force: u32, ended: Option<bool>) -> Next {
        match ended {
            None => Next::Run,
            Some(_) => Next::Succeed,
        }
    }

    #[action]
    fn shift(&mut self, #[arg(max = 5)] gear: &mut u32) -> Result<(), String> {
        *gear += 1;
        Err("it grinds".to_owned())
    }

    /// Counts how often it is asked.
    #[property]
    fn weight(&self) -> u32 {
        self.reads.fetch_add(1, Relaxed);
        assert!(!self.broken, "it broke");
        7
    }
}

struct Scene {
    runner: Runner<Cart>,
    cart: Cart,
}

impl Scene {
    fn new(top: NodeSpec) -> Scene {
        let mut trees = TreeSet::<Cart>::new();
        trees.add(TreeAsset::build("main", "cart", top));
        let trees = trees.build().unwrap();
        let ring = Ring::new(&trees, 1_000).bytes(100_000);
        let mut runner = Runner::new(&trees, "main").unwrap().tracing(ring);
        runner.start();
        Scene {
            runner,
            cart: Cart::default(),
        }
    }

    fn poll(&mut self) -> &mut Scene {
        self.runner.poll(&mut self.cart, Duration::ZERO);
        self
    }

    /// The rows about calls and writes of blackboard keys, in words.
    fn rows(&self) -> Vec<String> {
        let ring = self.runner.tracer::<Ring>().unwrap();
        let rows = ring.records().filter_map(|record| match &record.what {
            What::NodeAction { call, args, .. } => Some(format!("{call}{}", json!(args.values()))),
            What::BbSet { key, value } => Some(format!("{key}={value}")),
            What::Diagnostic { .. } => Some("diagnostic".to_owned()),
            What::Because { .. } => Some("because".to_owned()),
            _ => None,
        });
        rows.collect()
    }
}

#[test]
fn trace_has_no_row_of_a_call_whose_key_is_not_set() {
    let mut scene = Scene::new(action("pull").key("weight"));
    assert_eq!(scene.poll().rows(), ["diagnostic"]);
    // With the key set there is one, before what the call wrote.
    scene.runner.blackboard().set("weight", 3);
    let rows = scene.poll().rows();
    assert_eq!(rows[1..], ["weight=3", "pull[3]", "pulled=3"]);
}

#[test]
fn trace_has_no_row_of_a_call_whose_argument_does_not_decode_or_is_out_of_bounds() {
    for (name, held) in [("pull", json!("much")), ("shift", json!(6))] {
        let mut scene = Scene::new(action(name).key("held"));
        scene.runner.blackboard().set("held", held.clone());
        let rows = scene.poll().rows();
        assert_eq!(rows, [format!("held={held}"), "diagnostic".to_owned()]);
    }
}

#[test]
fn trace_reads_the_property_of_an_argument_once_and_has_no_row_when_that_fails() {
    let mut scene = Scene::new(action("pull").property("weight"));
    scene.poll();
    assert_eq!(scene.cart.pulls, 7);
    // For the argument; and for the trace, when the poll begins and after the call.
    assert_eq!(scene.cart.reads.load(Relaxed), 1 + 2);
    let called = |scene: &Scene| {
        let rows = scene.rows().into_iter();
        rows.filter(|row| row.starts_with("pull[")).count()
    };
    assert_eq!(called(&scene), 1);
    scene.cart.broken = true;
    scene.poll();
    assert_eq!((scene.cart.pulls, called(&scene)), (7, 1));
    assert_eq!(scene.rows().last().unwrap(), "diagnostic");
}

#[test]
fn trace_has_no_row_of_an_effect_a_service_a_decorator_or_a_later_turn_that_was_not_called() {
    let bad = || call("pull").key("unset");
    let top = node("always_running").effect("enter", bad());
    assert_eq!(Scene::new(top).poll().rows(), ["diagnostic"]);
    let top = node("always_running").service(1.0, bad());
    assert_eq!(Scene::new(top).poll().rows(), ["diagnostic"]);
    let braking =
        |force: fn(NodeSpec) -> NodeSpec| force(decorator("brake", node("always_running")));
    let mut scene = Scene::new(braking(|top| top.key("unset")));
    assert_eq!(scene.poll().rows(), ["diagnostic"]);
    let mut scene = Scene::new(braking(|top| top.arg(3)));
    assert_eq!(scene.poll().rows(), ["brake[3]"]);

    let mut scene = Scene::new(action("roll").key("speed"));
    scene.runner.blackboard().set("speed", 1.5);
    scene.poll().poll();
    scene.runner.blackboard().remove("speed");
    scene.poll();
    // The run that had begun fails, and so does the next.
    let rows = scene.rows();
    assert_eq!(rows[..3], ["speed=1.5", "roll[1.5]", "roll[1.5]"]);
    assert_eq!(rows[3..], ["diagnostic"; 2]);
}

#[test]
fn trace_has_no_row_of_a_write_of_a_call_that_failed() {
    let top = sequence([
        node("always_true").child(action("shift").key("gear")),
        node("always_true").child(action("number_add").arg("gear").arg("much")),
        node("always_true").child(action("array_push").arg("gear").arg(1)),
        action("number_add").arg("gear").arg(0),
        action("number_add").arg("gear").arg(2),
    ]);
    let mut scene = Scene::new(top);
    scene.runner.blackboard().set("gear", 1);
    assert_eq!(
        scene.poll().rows(),
        [
            "gear=1",
            "shift[1]",
            "because",
            "number_add[\"gear\",\"much\"]",
            "because",
            "array_push[\"gear\",1]",
            "because",
            "number_add[\"gear\",0]",
            "number_add[\"gear\",2]",
            "gear=3"
        ]
    );
}

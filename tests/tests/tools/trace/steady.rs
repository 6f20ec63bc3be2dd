//! The allocations of an agent whose last records are kept, once the ring is full: none.

use std::time::Duration;

use allocation_counter::measure;
use bt_core::prelude::*;
use bt_core::trace::Ring;
use bt_core::tree::asset::spec::{
    NodeSpec, action, guard, node, parallel, select, sequence, sub_tree, wait_event,
};
use bt_core::{Mode, Runner, TreeAsset, TreeSet};

#[derive(Agent, Default)]
struct Bee {
    visits: u64,
}

#[agent]
impl Bee {
    #[action]
    fn fly(&mut self, flower: &str, height: f64) {
        self.visits += u64::from(height > 0.0) + flower.len() as u64;
    }

    #[action]
    fn hover(&mut self) -> Status {
        self.visits += 1;
        if self.visits.is_multiple_of(3) {
            Status::Success
        } else {
            Status::Running
        }
    }

    #[action]
    fn climb(&mut self, cx: &mut Context, by: f64) {
        let height: f64 = cx.get_as("height").unwrap_or(1.0);
        cx.set("height", (height + by) % 1000.0);
    }

    #[action]
    fn hang(&mut self) -> Status {
        Status::Running
    }

    #[condition]
    fn is_high(height: f64) -> bool {
        height > 500.0
    }

    #[event]
    fn bell();
}

/// The allocations of 1,000 polls after the ring is full. Before each poll `before` does the rest, which is
/// not counted.
fn allocations(tree: NodeSpec, mut before: impl FnMut(&mut Runner<Bee>)) -> u64 {
    let mut trees = TreeSet::<Bee>::new();
    trees.add(TreeAsset::build("bee.json", "bee", tree));
    for name in ["x", "y"] {
        let keys = serde_json::json!({"own": {"type": "double", "initial": 1.5, "scope": "tree"}});
        let top = sequence([
            action("fly").arg("z").key("own"),
            action("wait_for_seconds").arg(0.1),
        ]);
        trees.add(TreeAsset::build(
            name,
            "bee",
            node("root").extra("blackboard", keys).child(top),
        ));
    }
    let trees = trees.build().unwrap();
    let ring = Ring::new(&trees, 500).bytes(20_000);
    let mut runner = Runner::new(&trees, "bee.json")
        .unwrap()
        .mode(Mode::Loop)
        .tracing(ring);
    runner.blackboard().set("height", 1.0);
    runner.blackboard().set("flower", "rose");
    runner.start();
    let mut bee = Bee::default();
    let mut now = Duration::ZERO;
    let mut polls = |count: u64| -> u64 {
        let poll = |_| {
            now += Duration::from_millis(100);
            before(&mut runner);
            measure(|| {
                runner.poll(&mut bee, now);
            })
            .count_total
        };
        (0..count).map(poll).sum()
    };
    polls(2_000);
    let count = polls(1_000);
    let ring = runner.tracer::<Ring>().unwrap();
    assert!(ring.len() == 500 || ring.len() > 100, "{}", ring.len());
    assert_eq!(ring.left_out(), 0);
    assert_eq!(runner.diagnostics(), []);
    count
}

#[test]
fn polled_leaves_arguments_and_writes() {
    let tree = sequence([
        action("fly").key("flower").key("height"),
        action("hover"),
        action("fly").arg("tulip").arg(2.5),
        action("climb").arg(1.25),
    ]);
    assert_eq!(allocations(tree, |_| {}), 0);
}

#[test]
fn guards_waits_and_writes_of_the_host() {
    let high = guard("is_high").key("height").set("abort", "both");
    let tree = select([
        sequence([
            action("wait_for_seconds").arg(0.3),
            action("climb").arg(1.0),
        ])
        .guard(high),
        parallel(1, 1, [wait_event("bell"), action("hang")]),
    ]);
    let mut high = false;
    let count = allocations(tree, |runner| {
        high = !high;
        runner
            .blackboard()
            .set("height", if high { 600.0 } else { 0.5 });
        runner
            .blackboard()
            .set("flower", if high { "rose" } else { "" });
    });
    assert_eq!(count, 0);
}

#[test]
fn trees_that_call_trees_in_turn() {
    let tree = sequence([sub_tree("x"), sub_tree("y"), action("climb").arg(1.0)]);
    assert_eq!(allocations(tree, |_| {}), 0);
}

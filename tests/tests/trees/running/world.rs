//! Guards whose conditions look at the world.

use std::time::Duration;

use bt_core::prelude::*;
use bt_core::trace::{Ring, Words};
use bt_core::tree::asset::spec::{
    Call, NodeSpec, action, decorator, guard, node, select, sequence,
};
use bt_core::{Mode, Runner, TreeAsset, TreeSet};
use serde_json::json;

/// The lamps that are lit.
#[derive(Debug, Default)]
struct Lamps([bool; 2]);

#[derive(Agent, Default)]
#[agent(world = Lamps)]
struct Firefly {
    /// The lamp that it looks at.
    #[property]
    lamp: u32,
}

#[agent]
impl Firefly {
    #[condition]
    fn is_lit(#[world] lamps: &Lamps, lamp: u32) -> bool {
        lamps.0[lamp as usize]
    }

    #[condition]
    fn key_true(cx: &Context, key: &str) -> bool {
        cx.get(key) == true
    }

    #[condition]
    fn never() -> bool {
        false
    }

    #[action]
    fn flies(_name: &str) -> Option<bool> {
        None
    }

    #[action]
    fn lights(#[world] lamps: &mut Lamps, lamp: u32) {
        lamps.0[lamp as usize] = true;
    }

    #[decorator]
    fn kindles(#[world] lamps: &mut Lamps, _ended: Option<bool>) -> Next {
        lamps.0[1] = true;
        Next::Run
    }

    #[action]
    fn sits() -> Status {
        Status::Running
    }

    /// The number of lamps that are lit.
    #[property]
    fn light(&self, #[world] lamps: &Lamps) -> usize {
        lamps.0.iter().filter(|lit| **lit).count()
    }
}

/// A firefly that flies by a tree.
struct Flight {
    runner: Runner<Firefly>,
    lamps: Lamps,
    now: u64,
}

impl Flight {
    fn new(top: NodeSpec) -> Flight {
        let mut trees = TreeSet::new();
        trees.add(TreeAsset::build("dusk", "firefly", top));
        let runner = Runner::new(&trees.build().unwrap(), "dusk").unwrap();
        let mut runner = runner.mode(Mode::Once);
        runner.start();
        let lamps = Lamps::default();
        let now = 0;
        Flight { runner, lamps, now }
    }

    /// Polls with such lamps; the places of what is active, or the result.
    fn poll(&mut self, lamps: [bool; 2]) -> String {
        self.lamps.0 = lamps;
        self.again()
    }

    fn again(&mut self) -> String {
        self.now += 1;
        let now = Duration::from_secs(self.now);
        let polled = self
            .runner
            .poll_in(&mut Firefly::default(), &mut self.lamps, now);
        match polled.status {
            Status::Running => {
                let leaves = self.runner.active_leaves().into_iter();
                let leaves: Vec<_> = leaves.map(|leaf| leaf.idx.to_string()).collect();
                leaves.join(" ")
            }
            ended => (ended == Status::Success).to_string(),
        }
    }
}

fn lit(lamp: u32) -> Call {
    guard("is_lit").arg(lamp)
}

fn flies() -> NodeSpec {
    action("flies").arg("on")
}

#[test]
fn world_condition_of_a_guard_is_evaluated_once_a_poll() {
    for guard in [
        lit(0).set("abort", "self"),
        lit(0).set("mode", "poll"),
        guard("is_lit").property("lamp").set("abort", "self"),
    ] {
        let mut fly = Flight::new(flies().guard(guard));
        assert_eq!(fly.poll([true, false]), "1");
        assert_eq!(fly.runner.next_wake(), Some(Duration::from_secs(1)));
        assert_eq!(fly.poll([true, true]), "1");
        assert_eq!(fly.poll([false, true]), "false");
    }
}

#[test]
fn world_condition_that_must_not_hold_aborts_when_it_does() {
    let mut fly = Flight::new(flies().guard(lit(0).negated().set("abort", "self")));
    assert_eq!(fly.poll([false, false]), "1");
    assert_eq!(fly.poll([true, false]), "false");
}

#[test]
fn world_condition_lets_a_node_take_over() {
    for abort in ["lower", "both"] {
        let lower = flies().guard(lit(0).set("abort", abort));
        let mut fly = Flight::new(select([lower, flies()]));
        assert_eq!(fly.poll([false, false]), "3");
        assert_eq!(fly.poll([false, true]), "3");
        assert_eq!(fly.poll([true, true]), "2", "{abort}");
        let after = if abort == "both" { "3" } else { "2" };
        assert_eq!(fly.poll([false, true]), after, "{abort}");
    }
}

#[test]
fn one_of_several_guards_may_look_at_the_world() {
    let key = || guard("key_true").arg("k").set("abort", "self");
    let both = flies().guard(key()).guard(lit(1).set("abort", "self"));
    let mut fly = Flight::new(both);
    fly.runner.blackboard().set("k", true);
    assert_eq!(fly.poll([false, true]), "1");
    assert_eq!(fly.poll([true, false]), "false");

    let lower = flies()
        .guard(guard("key_true").arg("k").set("abort", "lower"))
        .guard(lit(1));
    let mut fly = Flight::new(select([lower, flies()]));
    fly.runner.blackboard().set("k", true);
    assert_eq!(fly.poll([false, false]), "3");
    assert_eq!(fly.poll([false, true]), "2");
}

#[test]
fn world_condition_without_abort_is_evaluated_on_entry() {
    let mut fly = Flight::new(flies().guard(lit(0)));
    assert_eq!(fly.poll([true, false]), "1");
    assert_eq!(fly.runner.next_wake(), None);
    assert_eq!(fly.poll([false, false]), "1");
}

#[test]
fn what_a_leaf_does_to_the_world_counts_in_the_next_turn() {
    let lights = sequence([action("lights").arg(0), flies()]);
    let mut fly = Flight::new(lights.guard(lit(0).negated().set("abort", "self")));
    assert_eq!(fly.again(), "3");
    assert_eq!(fly.again(), "false");
}

#[test]
fn nodes_that_ask_on_entry_look_at_the_world_then() {
    let reset_if = json!({"condition_name": "is_lit", "condition_args": [{"arg_type": "plain", "arg_value": 0}]});
    let limit = node("run_limit")
        .extra("count", 1)
        .extra("reset_if", reset_if);
    let mut fly = Flight::new(limit.child(action("nop")));
    fly.runner.set_mode(Mode::Loop);
    let lit = [false, false, true, false];
    let results = lit.map(|on| fly.poll([on, false]));
    assert_eq!(results, ["true", "false", "true", "false"]);
}

#[test]
fn explanation_says_what_aborts_a_node_and_nothing_of_a_guard_that_never_does() {
    let mut fly = Flight::new(flies().guard(lit(0).set("abort", "self")));
    fly.poll([true, false]);
    let text = fly.runner.explain().to_string();
    let aborts = "aborted when guard `is_lit`(0) of node 1 (action `flies`) no longer holds";
    assert!(text.contains(aborts), "{text}");

    let idle = guard("never").negated().set("abort", "self");
    let mut fly = Flight::new(flies().guard(idle));
    fly.poll([true, false]);
    let text = fly.runner.explain().to_string();
    assert!(!text.contains("no longer holds"), "{text}");
    assert!(text.contains("nothing can finish it"), "{text}");
}

#[test]
fn trace_tells_of_a_property_that_a_decorator_changed_through_the_world() {
    let mut fly = Flight::new(decorator("kindles", action("sits")));
    let ring = Ring::new(fly.runner.trees(), 100);
    fly.runner.set_tracer(Some(Box::new(ring)));
    fly.again();
    let ring = fly.runner.tracer::<Ring>().unwrap();
    let lines = ring.records().map(|record| Words(&record).to_string());
    let lines: Vec<_> = lines.collect();
    let find = |words: &str| lines.iter().position(|line| line.contains(words));
    let changed = find("changes property `light` to 1");
    assert!(changed.is_some(), "{lines:#?}");
    assert!(changed < find("calls `sits`"), "{lines:#?}");
}

//! Trees that call, transfer to and interrupt one another: the execution stack of behaviac's 5.1.
//! (S4-X05)

use bt_core::tree::asset::spec::{NodeSpec, action, node, sequence, sub_tree, wait_event};
use bt_core::{Event, Runner, TreeAsset, prelude::*};
use serde_json::json;

use crate::worked::{seconds, start, troubles};

#[derive(Agent, Default)]
struct Pawn {
    did: Vec<String>,
}

#[agent]
impl Pawn {
    #[action]
    fn step(&mut self, what: &str) {
        self.did.push(what.to_owned());
    }

    /// Until it is aborted, or the event of that name arrives.
    #[action(exit = "left")]
    fn dwell(&mut self, cx: &mut Context, until: &str) -> Option<bool> {
        self.did.push(format!("dwell until {until}"));
        cx.finish_on(until, true);
        None
    }

    fn left(&mut self, _cx: &mut Context, exit: Exit) {
        self.did.push(format!("{exit:?}"));
    }

    /// Returns true if something is left, and one less of it.
    #[action]
    fn count_down(left: &mut u32) -> bool {
        *left -= 1;
        *left > 0
    }
}

fn tree(name: &str, top: NodeSpec) -> TreeAsset {
    TreeAsset::build(name, "pawn", node("root").extra("mode", "once").child(top))
}

fn step(what: &str) -> NodeSpec {
    action("step").arg(what)
}

fn dwell(until: &str) -> NodeSpec {
    action("dwell").arg(until)
}

/// A node that takes an event for a tree.
fn takes(spec: NodeSpec, event: &str, tree: &str, mode: Option<&str>) -> NodeSpec {
    let mut taken = json!({"event": event, "tree": tree});
    if let Some(mode) = mode {
        taken["mode"] = mode.into();
    }
    spec.extra("events", json!([taken]))
}

struct Play {
    runner: Runner<Pawn>,
    pawn: Pawn,
}

impl Play {
    fn of<const N: usize>(trees: [TreeAsset; N]) -> Play {
        let (runner, pawn) = (start(trees), Pawn::default());
        Play { runner, pawn }
    }

    /// Polls once, after some events; what was done.
    fn poll(&mut self, events: &[&str]) -> Vec<String> {
        for event in events {
            self.runner.fire(Event::new(*event));
        }
        self.runner.poll(&mut self.pawn, seconds(0.0));
        assert_eq!(troubles(&mut self.runner), [""; 0]);
        std::mem::take(&mut self.pawn.did)
    }

    fn nodes(&self) -> Vec<String> {
        let nodes = self.runner.active_nodes().into_iter();
        nodes.map(|n| format!("{} {}", n.tree, n.idx)).collect()
    }
}

#[test]
fn caller_continues_after_a_sub_tree_has_returned() {
    let main = sequence([step("before"), sub_tree("sub"), step("after")]);
    let sub = sequence([step("in"), dwell("bell"), step("out")]);
    let mut play = Play::of([tree("main", main), tree("sub", sub)]);
    assert_eq!(play.poll(&[]), ["before", "in", "dwell until bell"]);
    // The caller waits below its own root.
    assert_eq!(
        play.nodes(),
        ["main 0", "main 1", "main 3", "sub 0", "sub 1", "sub 3"]
    );
    assert_eq!(play.runner.tree(), "main");
    assert_eq!(play.poll(&["bell"]), ["Success", "out", "after"]);
    assert_eq!(play.runner.result(), Some(true));
}

#[test]
fn a_sub_tree_that_transfers_ends_its_caller() {
    let main = sequence([
        step("before"),
        sub_tree("other").extra("mode", "transfer"),
        step("after"),
    ]);
    let other = sequence([step("in"), dwell("bell")]);
    let mut play = Play::of([tree("main", main), tree("other", other)]);
    assert_eq!(play.poll(&[]), ["before", "in", "dwell until bell"]);
    assert_eq!(play.nodes(), ["other 0", "other 1", "other 3"]);
    assert_eq!(play.poll(&["bell"]), ["Success"]);
    // It stays the current tree.
    assert_eq!(play.runner.tree(), "other");
    play.runner.start();
    assert_eq!(play.poll(&[]), ["in", "dwell until bell"]);
}

#[test]
fn a_tree_may_call_itself() {
    let again = node("always_true").child(sequence([
        action("count_down").key("left"),
        sub_tree("main"),
    ]));
    let main = sequence([step("down"), again, step("up")]);
    let mut play = Play::of([tree("main", main)]);
    play.runner.blackboard().set("left", 3);
    assert_eq!(play.poll(&[]), ["down", "down", "down", "up", "up", "up"]);
    assert_eq!(play.runner.result(), Some(true));
}

#[test]
fn an_event_transfers_by_default_and_the_interrupted_tree_is_aborted() {
    let main = takes(
        sequence([dwell("bell"), step("after")]),
        "alarm",
        "fight",
        None,
    );
    let fight = sequence([step("fight"), dwell("peace")]);
    let mut play = Play::of([tree("main", main), tree("fight", fight)]);
    assert_eq!(play.poll(&[]), ["dwell until bell"]);
    assert_eq!(
        play.poll(&["alarm"]),
        ["Aborted", "fight", "dwell until peace"]
    );
    assert_eq!(play.runner.tree(), "fight");
    assert_eq!(play.poll(&["peace"]), ["Success"]);
    assert_eq!(play.runner.result(), Some(true));
    // The wait for it went with the interrupted tree.
    play.runner.fire(Event::new("bell"));
    play.runner.poll(&mut play.pawn, seconds(0.0));
    let unknown = "fight: event `bell` was fired, which nothing waits for and no agent registers";
    assert_eq!(troubles(&mut play.runner), [unknown]);
    assert_eq!(std::mem::take(&mut play.pawn.did), [""; 0]);
}

#[test]
fn event_in_return_mode_suspends_the_running_tree() {
    let main = sequence([step("before"), dwell("bell"), step("after")]);
    let main = takes(main, "alarm", "fight", Some("return"));
    let fight = sequence([step("fight"), dwell("peace")]);
    let mut play = Play::of([tree("main", main), tree("fight", fight)]);
    play.poll(&[]);
    assert_eq!(play.poll(&["alarm"]), ["fight", "dwell until peace"]);
    // What is suspended stays active, and comes first.
    let nodes = [
        "main 0", "main 1", "main 3", "fight 0", "fight 1", "fight 3",
    ];
    assert_eq!(play.nodes(), nodes);
    // Neither aborted nor told of events meanwhile.
    assert_eq!(play.poll(&["bell"]), [""; 0]);
    assert_eq!(play.poll(&["peace"]), ["Success"]);
    // Back at the same nodes.
    assert_eq!(play.nodes(), ["main 0", "main 1", "main 3"]);
    assert_eq!(play.poll(&["bell"]), ["Success", "after"]);
}

#[test]
fn suspended_trees_resume_last_in_first_out() {
    let interrupted = |bell: &str, event: &str, tree: &str| {
        let name = format!("{bell} rang");
        takes(
            sequence([dwell(bell), step(&name)]),
            event,
            tree,
            Some("return"),
        )
    };
    let mut play = Play::of([
        tree("main", interrupted("first", "one", "middle")),
        tree("middle", interrupted("second", "two", "top")),
        tree("top", dwell("third")),
    ]);
    play.poll(&[]);
    assert_eq!(play.poll(&["one"]), ["dwell until second"]);
    assert_eq!(play.poll(&["two"]), ["dwell until third"]);
    assert_eq!(play.runner.tree(), "top");
    assert_eq!(play.poll(&["first", "second"]), [""; 0]);
    assert_eq!(play.poll(&["third"]), ["Success"]);
    assert_eq!(play.runner.tree(), "middle");
    assert_eq!(play.poll(&["first", "second"]), ["Success", "second rang"]);
    assert_eq!(play.runner.tree(), "main");
    assert_eq!(play.poll(&["first"]), ["Success", "first rang"]);
    assert_eq!(play.runner.result(), Some(true));
}

#[test]
fn a_transfer_on_top_of_the_stack_leaves_what_is_below_it() {
    let middle = takes(dwell("second"), "two", "top", None);
    let mut play = Play::of([
        tree(
            "main",
            takes(dwell("first"), "one", "middle", Some("return")),
        ),
        tree("middle", middle),
        tree("top", dwell("third")),
    ]);
    play.poll(&[]);
    play.poll(&["one"]);
    assert_eq!(play.poll(&["two"]), ["Aborted", "dwell until third"]);
    assert_eq!(play.poll(&["third"]), ["Success"]);
    // Not the tree that was transferred from: the one that was suspended.
    assert_eq!(play.runner.tree(), "main");
    assert_eq!(play.poll(&["first"]), ["Success"]);
}

#[test]
fn stopping_leaves_the_whole_stack_from_the_top_down() {
    let of = |name: &str| sequence([wait_event("never"), step(name)]);
    let main = node("parallel")
        .extra("success", 2)
        .extra("failure", 1)
        .children([of("a"), dwell("first")]);
    let main = takes(main, "one", "top", Some("return"));
    let mut play = Play::of([tree("main", main), tree("top", dwell("second"))]);
    play.poll(&[]);
    play.poll(&["one"]);
    play.runner.stop(&mut play.pawn, seconds(0.0));
    assert_eq!(play.pawn.did, ["Aborted", "Aborted"]);
    assert!(play.nodes().is_empty() && !play.runner.is_running());
    // And nothing of it comes back.
    play.pawn.did.clear();
    play.runner.start();
    assert_eq!(play.poll(&[]), ["dwell until first"]);
}

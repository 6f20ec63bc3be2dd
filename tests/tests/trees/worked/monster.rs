//! The monster of the first document: it fights, and while it is on its way to its target the target
//! dies. What the walk holds is cleaned up whatever ends it. (S1-R24, S1-R26, S1-R28, S1-R29,
//! S1-I04)

use bt_core::{Event, LeafState, Runner, prelude::*};

use crate::worked::{Closure, Log, json, seconds, start, troubles};

/// A fight, and beside it a watch for the death of the target that resets the tree.
const FIGHT: &str = r#"{"name": "fight.json", "nodes": [
    {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "monster"}},
    {"idx": 1, "parent": 0, "type": "parallel", "children": [2, 5], "extra": {"success": 2, "failure": 1}},
    {"idx": 2, "parent": 1, "type": "sequence", "children": [3, 4], "extra": {}},
    {"idx": 3, "parent": 2, "type": "action", "children": [], "extra": {"action_name": "walk_to",
        "action_args": [{"arg_type": "blackboard", "arg_value": "target"}]}},
    {"idx": 4, "parent": 2, "type": "action", "children": [], "extra": {"action_name": "hit",
        "action_args": [{"arg_type": "blackboard", "arg_value": "target"}]}},
    {"idx": 5, "parent": 1, "type": "sequence", "children": [6, 7], "extra": {}},
    {"idx": 6, "parent": 5, "type": "wait_event", "children": [], "extra": {"event": "target_died"}},
    {"idx": 7, "parent": 5, "type": "reset", "children": [], "extra": {"keep_blackboard": true}}
]}"#;

#[derive(Agent, Default)]
struct Monster {
    log: Log,
    /// Tells the walk that it is over.
    arrival: Option<Completion>,
}

#[agent]
impl Monster {
    /// Path finding: its closure cancels it.
    #[action]
    fn walk_to(&mut self, cx: &mut Context, target: u64) -> Option<bool> {
        self.log.note(format!("walk to {target}"));
        cx.on_exit(Closure("path finding cancelled", self.log.clone()));
        self.arrival = Some(cx.completion());
        None
    }

    #[action]
    fn hit(&mut self, cx: &mut Context, target: u64) -> Option<bool> {
        self.log.note(format!("hit {target}"));
        cx.on_exit(Closure("hit ended", self.log.clone()));
        cx.finish_after(std::time::Duration::from_secs(1), true);
        None
    }
}

fn begin() -> (Runner<Monster>, Monster, Log) {
    let mut runner = start([json("fight.json", FIGHT)]);
    // An entity is a number on the blackboard.
    runner.blackboard().set("target", u64::MAX);
    let mut monster = Monster::default();
    runner.poll(&mut monster, seconds(0.0));
    let log = monster.log.clone();
    assert_eq!(log.take(), ["walk to 18446744073709551615"]);
    (runner, monster, log)
}

#[test]
fn attack_hits_once_the_walk_has_ended() {
    let (mut runner, mut monster, log) = begin();
    runner.poll(&mut monster, seconds(5.0));
    assert_eq!(log.take(), [""; 0]);
    assert!(monster.arrival.take().unwrap().finish(true));
    runner.poll(&mut monster, seconds(5.0));
    let hit = ["path finding cancelled", "hit 18446744073709551615"];
    assert_eq!(log.take(), hit);
    runner.poll(&mut monster, seconds(6.0));
    assert_eq!(log.take(), ["hit ended"]);
    assert_eq!(troubles(&mut runner), [""; 0]);
}

#[test]
fn the_death_of_the_target_interrupts_the_walk_and_cancels_it() {
    let (mut runner, mut monster, log) = begin();
    // What the event says is on the blackboard before it is sent.
    runner.blackboard().set("target", 7);
    runner.fire(Event::new("target_died"));
    runner.poll(&mut monster, seconds(1.0));
    assert_eq!(log.take(), ["path finding cancelled"]);
    // The walk that was cancelled ends nothing any more.
    let late = monster.arrival.take().unwrap();
    assert!(late.finish(true));
    runner.poll(&mut monster, seconds(2.0));
    assert_eq!(log.take(), ["walk to 7"]);
    runner.poll(&mut monster, seconds(3.0));
    assert_eq!(log.take(), [""; 0]);
    assert_eq!(troubles(&mut runner), [""; 0]);
}

#[test]
fn the_walk_and_the_wait_are_both_active_below_the_parallel() {
    let (runner, _monster, _) = begin();
    let leaves = runner.active_leaves();
    let leaves: Vec<_> = leaves.iter().map(|leaf| (leaf.idx, leaf.state)).collect();
    assert_eq!(leaves, [(3, LeafState::Pending), (6, LeafState::Event)]);
}

#[test]
fn an_event_that_nobody_waits_for_is_dropped() {
    let (mut runner, mut monster, log) = begin();
    runner.fire(Event::new("rain"));
    runner.poll(&mut monster, seconds(1.0));
    assert_eq!(log.take(), [""; 0]);
    assert_eq!(runner.active_leaves().len(), 2);
}

#[test]
fn stopping_the_tree_cancels_what_lasts() {
    let (mut runner, mut monster, log) = begin();
    runner.stop(&mut monster, seconds(1.0));
    assert_eq!(log.take(), ["path finding cancelled"]);
    runner.start();
    runner.poll(&mut monster, seconds(2.0));
    assert_eq!(log.take(), ["walk to 18446744073709551615"]);
}

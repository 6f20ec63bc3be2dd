//! A condition, an action and a wait for a hundred frames: the frame table of behaviac's 5.3.
//! (S4-X02, S4-X03, S4-X04, S4-X06)

use bt_core::{Mode, Runner, prelude::*};

use crate::worked::{Log, json, seconds, start};

const TREE: &str = r#"{"name": "circular.json", "nodes": [
    {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "frames", "mode": "once"}},
    {"idx": 1, "parent": 0, "type": "sequence", "children": [2, 3, 4], "extra": {}},
    {"idx": 2, "parent": 1, "type": "condition", "children": [],
        "extra": {"action_name": "c", "action_args": []}},
    {"idx": 3, "parent": 1, "type": "action", "children": [],
        "extra": {"action_name": "a", "action_args": []}},
    {"idx": 4, "parent": 1, "type": "action", "children": [], "extra": {"action_name": "wait_frames",
        "action_args": [{"arg_type": "plain", "arg_value": 100}]}}
]}"#;

#[derive(Agent, Default)]
struct Frames {
    refuses: bool,
    calls: Log,
}

#[agent]
impl Frames {
    #[condition]
    fn c(&self) -> bool {
        self.calls.note("C");
        !self.refuses
    }

    #[action]
    fn a(&mut self) -> bool {
        self.calls.note("A");
        true
    }
}

/// A frame: how the tree stands, what was executed, what waits.
fn frame(runner: &mut Runner<Frames>, agent: &mut Frames) -> (Status, Vec<String>, Vec<u32>) {
    // All in one second: frames are not time.
    let status = runner.poll(agent, seconds(1.0)).status;
    let waits = runner.active_leaves();
    let waits = waits.iter().map(|leaf| leaf.idx).collect();
    (status, agent.calls.take(), waits)
}

#[test]
fn the_wait_alone_is_executed_from_frame_2_to_frame_100() {
    let mut runner = start([json("circular.json", TREE)]);
    let mut agent = Frames::default();
    let first = frame(&mut runner, &mut agent);
    assert_eq!((first.0, first.2), (Status::Running, vec![4]));
    assert_eq!(first.1, ["C", "A"]);
    for number in 2..100 {
        let next = frame(&mut runner, &mut agent);
        assert_eq!(
            next,
            (Status::Running, vec![], vec![4]),
            "in frame {number}"
        );
    }
    let last = frame(&mut runner, &mut agent);
    assert_eq!(last, (Status::Success, vec![], vec![]));
}

#[test]
fn a_condition_that_fails_ends_the_tree_in_its_first_frame() {
    let mut runner = start([json("circular.json", TREE)]);
    let mut agent = Frames {
        refuses: true,
        ..Frames::default()
    };
    let first = frame(&mut runner, &mut agent);
    assert_eq!((first.0, first.2), (Status::Failure, vec![]));
    assert_eq!(first.1, ["C"]);
}

#[test]
fn a_tree_that_has_ended_begins_from_scratch_when_it_is_executed_again() {
    let mut runner = start([json("circular.json", TREE)]);
    let mut agent = Frames::default();
    for _ in 0..2 {
        runner.start();
        let first = frame(&mut runner, &mut agent);
        assert_eq!(first.1, ["C", "A"]);
        let polls = (2..).take_while(|_| frame(&mut runner, &mut agent).0 == Status::Running);
        assert_eq!(polls.count(), 98);
    }
}

#[test]
fn in_a_loop_the_next_run_begins_in_the_frame_in_which_the_last_one_ended() {
    let mut runner = start([json("circular.json", TREE)]).mode(Mode::Loop);
    let mut agent = Frames::default();
    for number in 1..=500_u32 {
        let (status, calls, _) = frame(&mut runner, &mut agent);
        // Frame 100 is the last of the first run and the first of the second.
        let begins = number == 1 || number % 99 == 1;
        assert_eq!(calls.is_empty(), !begins, "in frame {number}");
        assert_eq!(status, Status::Running);
    }
}

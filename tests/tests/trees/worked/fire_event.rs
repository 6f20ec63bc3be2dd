//! `FireEvent` with a parameter that a tree has bound to a par: behaviac's 6 and 7. (S4-V01, S4-V02,
//! S4-V03, S4-V04, S4-P01, S4-P03)

use bt_core::{Runner, prelude::*};

use crate::worked::{json, seconds, start, troubles};

/// The tree that is interrupted: the outer sequence and the wait below it both take `exploded`.
const PATROL: &str = r#"{"name": "patrol.json", "nodes": [
    {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "agent_test",
        "blackboard": {"par_event_param": {"type": "int32", "initial": 0}}}},
    {"idx": 1, "parent": 0, "type": "sequence", "children": [2, 3], "extra": {"events": [
        {"event": "exploded", "tree": "outer.json", "mode": "return",
            "params": {"power": "par_event_param"}}]}},
    {"idx": 2, "parent": 1, "type": "wait_event", "children": [], "extra": {"event": "go_on", "events": [
        {"event": "exploded", "tree": "inner.json", "mode": "return",
            "params": {"power": "par_event_param"}}]}},
    {"idx": 3, "parent": 1, "type": "wait_event", "children": [], "extra": {"event": "go_on"}}
]}"#;

/// A tree that hands the par to an action.
fn reads(name: &str, action: &str) -> String {
    format!(
        r#"{{"name": "{name}", "nodes": [
            {{"idx": 0, "type": "root", "children": [1], "extra": {{"agent_name": "agent_test"}}}},
            {{"idx": 1, "parent": 0, "type": "action", "children": [], "extra":
                {{"action_name": "{action}", "action_args":
                    [{{"arg_type": "blackboard", "arg_value": "par_event_param"}}]}}}}
        ]}}"#
    )
}

#[derive(Agent, Default)]
struct AgentTest {
    inner: Vec<i32>,
    outer: Vec<i32>,
}

#[agent]
impl AgentTest {
    /// Something exploded.
    #[event]
    fn exploded(
        /** How hard. */
        power: i32,
    );

    #[action]
    fn duck(&mut self, power: i32) {
        self.inner.push(power);
    }

    #[action]
    fn flee(&mut self, power: i32) {
        self.outer.push(power);
    }
}

fn begin() -> (Runner<AgentTest>, AgentTest) {
    let inner = json("inner.json", &reads("inner.json", "duck"));
    let outer = json("outer.json", &reads("outer.json", "flee"));
    let mut runner = start([json("patrol.json", PATROL), inner, outer]);
    let mut agent = AgentTest::default();
    runner.poll(&mut agent, seconds(0.0));
    (runner, agent)
}

#[test]
fn the_parameter_of_the_event_is_the_par_in_its_tree() {
    let (mut runner, mut agent) = begin();
    assert_eq!(runner.blackboard().get("par_event_param"), 0);
    runner.fire(AgentTest::exploded(7));
    runner.fire(AgentTest::exploded(9));
    runner.poll(&mut agent, seconds(0.0));
    assert_eq!(agent.inner, [7, 9]);
    assert_eq!(runner.blackboard().get("par_event_param"), 9);
    assert_eq!(troubles(&mut runner), [""; 0]);
}

#[test]
fn running_nodes_run_from_the_bottom_up() {
    let (mut runner, mut agent) = begin();
    runner.fire(AgentTest::exploded(1));
    runner.poll(&mut agent, seconds(0.0));
    assert_eq!((agent.inner.len(), agent.outer.len()), (1, 0));
    // The wait that had it is left: the sequence above takes the next one.
    runner.fire(bt_core::Event::new("go_on"));
    runner.fire(AgentTest::exploded(2));
    runner.poll(&mut agent, seconds(0.0));
    assert_eq!((agent.inner, agent.outer), (vec![1], vec![2]));
}

#[test]
fn a_parameter_of_another_type_leaves_the_par_and_is_reported() {
    let (mut runner, mut agent) = begin();
    runner.fire(bt_core::Event::new("exploded").with("power", "hard"));
    runner.poll(&mut agent, seconds(0.0));
    assert_eq!(runner.blackboard().get("par_event_param"), 0);
    let troubles = troubles(&mut runner);
    assert_eq!(troubles.len(), 1, "{troubles:?}");
    for word in ["exploded", "not delivered", "power", "integer", "\"hard\""] {
        assert!(troubles[0].contains(word), "{troubles:?}");
    }
}

#[test]
fn a_par_that_was_set_before_overrides_its_initial_value() {
    let inner = json("inner.json", &reads("inner.json", "duck"));
    let outer = json("outer.json", &reads("outer.json", "flee"));
    let mut runner = start([json("patrol.json", PATROL), inner, outer]);
    runner.blackboard().set("par_event_param", 5);
    let mut agent = AgentTest::default();
    runner.poll(&mut agent, seconds(0.0));
    assert_eq!(
        runner
            .blackboard()
            .get_as::<i32>("par_event_param")
            .unwrap(),
        5
    );
    assert!(runner.blackboard().get_as::<i32>("par_unknown").is_err());
}

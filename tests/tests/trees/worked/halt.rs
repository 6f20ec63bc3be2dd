//! The C++ article's `Halt`: children first, then the node itself, then all is idle; and its engine,
//! which ticks until it is told to exit. (S3-01, S3-09, S3-12, S3-13, S3-14)

use bt_core::tree::asset::spec::{NodeSpec, action, call, node, sequence};
use bt_core::{NodeStatus, Runner, TreeAsset, prelude::*};

use crate::worked::{Log, seconds, start};

#[derive(Agent, Default)]
struct Object {
    log: Log,
}

#[agent]
impl Object {
    #[action(exit = "execute_halt")]
    fn act(&mut self, cx: &mut Context, name: &str) -> Status {
        cx.set("acts", name);
        self.log.note(format!("tick {name}"));
        Status::Running
    }

    fn execute_halt(&mut self, _cx: &mut Context, exit: Exit) {
        self.log.note(format!("leaf {exit:?}"));
    }

    #[action]
    fn halted(&mut self, name: &str) {
        self.log.note(format!("halt {name}"));
    }

    #[action]
    fn done(&mut self, name: &str) {
        self.log.note(format!("tick {name}"));
    }
}

/// Says when it is halted.
fn halting(name: &str, spec: NodeSpec) -> NodeSpec {
    spec.effect("exit", call("halted").arg(name))
}

fn tree() -> TreeAsset {
    let decorator = halting("negative", node("negative").child(action("act").arg("b")));
    let inner = sequence([action("done").arg("a"), decorator, action("done").arg("c")]);
    let parallel = node("parallel").extra("success", 2).extra("failure", 1);
    let parallel = parallel.children([halting("sequence", inner), action("act").arg("d")]);
    TreeAsset::build("engine", "object", halting("parallel", parallel))
}

fn begin() -> (Runner<Object>, Object, Log) {
    let (mut runner, mut object) = (start([tree()]).keep_results(true), Object::default());
    runner.poll(&mut object, seconds(0.0));
    let log = object.log.clone();
    assert_eq!(log.take(), ["tick a", "tick b", "tick d"]);
    (runner, object, log)
}

#[test]
fn halting_goes_from_the_children_to_the_node_the_last_sibling_first() {
    let (mut runner, mut object, log) = begin();
    runner.stop(&mut object, seconds(1.0));
    let halted = [
        "leaf Aborted",
        "leaf Aborted",
        "halt negative",
        "halt sequence",
        "halt parallel",
    ];
    assert_eq!(log.take(), halted);
    // Once each: a second one halts nothing.
    runner.stop(&mut object, seconds(1.0));
    assert_eq!(log.take(), [""; 0]);
}

#[test]
fn status_is_running_on_the_active_path_and_idle_after_a_halt() {
    let (mut runner, mut object, _) = begin();
    let status = |runner: &Runner<Object>| -> Vec<NodeStatus> {
        (0..=7)
            .map(|idx| runner.node_status("engine", idx))
            .collect()
    };
    use NodeStatus::{Idle, Running, Success};
    // 0 root, 1 parallel, 2 sequence, 3 a, 4 negative, 5 b, 6 c, 7 d.
    let expect = [
        Running, Running, Running, Success, Running, Running, Idle, Running,
    ];
    assert_eq!(status(&runner), expect);
    runner.stop(&mut object, seconds(1.0));
    assert!(!status(&runner).contains(&Running));
    assert!(runner.active_nodes().is_empty());
}

#[test]
fn the_engine_ticks_what_runs_until_it_exits() {
    let (mut runner, mut object, log) = begin();
    for tick in 1..=3 {
        runner.poll(&mut object, seconds(tick.into()));
        // What is done is not done again.
        assert_eq!(log.take(), ["tick b", "tick d"]);
    }
    runner.stop(&mut object, seconds(4.0));
    log.take();
    runner.poll(&mut object, seconds(5.0));
    assert_eq!(log.take(), [""; 0]);
    assert!(!runner.is_running());
}

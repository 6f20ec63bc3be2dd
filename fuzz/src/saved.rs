//! The bytes are a saved agent: restored on trees with all that an agent remembers, and run.

use std::sync::OnceLock;
use std::time::Duration;

use bt_core::trace::{Record, Replay};
use bt_core::tree::asset::spec::{NodeSpec, action, guard, node, sequence, sub_tree};
use bt_core::{Event, Runner, Saved, TreeAsset, TreeSet, Trees};
use serde_json::json;

use crate::Robot;

/// Trees of which much is saved while they run.
pub fn trees() -> &'static Trees<Robot> {
    static TREES: OnceLock<Trees<Robot>> = OnceLock::new();
    TREES.get_or_init(|| {
        let mut set = TreeSet::<Robot>::new();
        set.add(TreeAsset::build("main", "robot", main_tree()));
        set.add(TreeAsset::build("other", "robot", other_tree()));
        set.build().unwrap_or_else(|error| panic!("{error}"))
    })
}

fn waits(seconds: f64) -> NodeSpec {
    action("starts").arg(seconds).arg("go")
}

fn polled(times: u32) -> NodeSpec {
    action("polled").arg(times)
}

pub(crate) fn main_tree() -> NodeSpec {
    let watched = waits(0.7).guard(guard("key_holds").arg("k").set("abort", "both"));
    let random = node("random_seq").children([waits(0.1), polled(2), waits(0.4)]);
    let memory = node("memory_sequence").children([waits(0.2), action("now").arg(false)]);
    let reactive = node("reactive_select").children([action("now").arg(false), polled(9)]);
    let late = node("timeout").extra("seconds", 1.1).child(polled(40));
    let rests = node("cooldown").extra("seconds", 0.9).child(polled(1));
    let limited = node("run_limit").extra("count", 5).child(waits(0.3));
    let drawn = node("probility")
        .extra("prob", json!([1, 2.5]))
        .children([waits(0.3), polled(3)]);
    let framed = node("frames").extra("count", 4).child(polled(9));
    let heard = node("wait_event")
        .extra("event", "told")
        .extra("latch", true);
    let serves = polled(7)
        .extra("services", json!([{"seconds": 0.5, "action_name": "nop"}]))
        .extra(
            "events",
            json!([{"event": "go", "tree": "other", "mode": "return"}]),
        );
    let all = [
        node("select").children([watched, polled(30)]),
        random,
        memory,
        reactive,
        late,
        rests,
        limited,
        drawn,
        framed,
        heard,
        serves,
        sub_tree("other"),
        node("delay").extra("seconds", 0.6).child(polled(1)),
        node("loop").extra("count", 6).child(waits(0.2)),
    ];
    let over =
        all.map(|child| node("always_true").child(node("repeat").extra("count", 3).child(child)));
    sequence([node("parallel")
        .extra("success", 14)
        .extra("failure", 1)
        .children(over)])
    .extra(
        "blackboard",
        json!({"own": {"type": "int32", "initial": 3}}),
    )
}

pub(crate) fn other_tree() -> NodeSpec {
    let mut tree = sequence([waits(0.6), polled(4)]);
    tree = tree.extra(
        "blackboard",
        json!({"own": {"type": "string", "initial": "x"}}),
    );
    tree
}

/// Runs a restored agent, checks that its trace makes sense, saves it and restores it again.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let Ok(saved) = Saved::from_json(text) else {
        return;
    };
    if let Ok(runner) = Runner::restore_or_restart(trees(), &saved) {
        go_on(runner);
    }
    if let Ok(runner) = Runner::restore(trees(), &saved) {
        go_on(runner.at(Duration::from_secs(3)));
    }
}

fn go_on(runner: Runner<Robot>) {
    let mut replay = Replay::new();
    let mut runner = runner.budget(500).tracing(move |record: &Record<'_>| {
        replay
            .apply(record)
            .unwrap_or_else(|error| panic!("{error}"));
    });
    let mut robot = Robot::default();
    for poll in 0..20_u32 {
        let now = Duration::from_secs(3) + Duration::from_millis(150) * poll;
        match poll % 6 {
            2 => runner.fire(Event::new("go")),
            4 => runner.fire(Robot::told(1)),
            5 => runner.blackboard().set("k", poll % 4 == 1),
            _ => {}
        }
        runner.poll(&mut robot, now);
    }
    let again = Saved::from_json(&runner.save().to_json()).expect("it was just saved");
    drop(Runner::restore(trees(), &again).expect("it was just saved"));
    runner.stop(&mut robot, Duration::from_secs(99));
}

//! Trees that were read are built and run for a while.

use std::time::Duration;

use bt_core::{Event, Runner, TreeAsset, TreeSet};
use serde_json::Value;

use crate::Robot;

/// The number of polls of a tree, and the number of nodes that each of them enters.
const POLLS: u32 = 50;
const ENTRIES: u32 = 500;

/// Builds a tree that may call itself, runs it, and asks about it what a host does.
pub fn play(tree: TreeAsset) {
    let name = tree.name().to_owned();
    let mut set = TreeSet::<Robot>::new();
    set.add(tree);
    let trees = match set.build() {
        Ok(trees) => trees,
        Err(error) => {
            assert!(!error.problems().is_empty());
            assert!(error.to_string().len() < 4_000_000);
            return;
        }
    };
    let mut runner = Runner::new(&trees, &name).expect("it was built");
    runner = runner.seed(7).budget(ENTRIES).keep_results(true);
    let mut robot = Robot::default();
    let mut now = Duration::ZERO;
    runner.start();
    for poll in 0..POLLS {
        match poll % 10 {
            3 => runner.fire(Event::new("go")),
            5 => runner.fire(Robot::told(i64::from(poll))),
            6 => drop(
                runner
                    .blackboard()
                    .set_all(&Value::from_iter([("a", poll)])),
            ),
            7 => runner.pause(),
            8 => runner.resume(),
            _ => {}
        }
        let polled = runner.poll(&mut robot, now);
        for leaf in runner.active_leaves() {
            assert_eq!(leaf.tree, name);
            if poll % 7 == 4 {
                runner.finish(leaf.id, poll % 2 == 0);
            }
        }
        now = match polled.next_wake {
            Some(wake) if poll % 3 == 0 => wake.max(now),
            _ => now.saturating_add(Duration::from_millis(300)),
        };
    }
    runner.stop(&mut robot, now);
    for _ in 0..5 {
        runner.poll(&mut robot, now);
    }
    runner.reset();
    for _ in 0..3 {
        runner.poll(&mut robot, Duration::MAX);
    }
}

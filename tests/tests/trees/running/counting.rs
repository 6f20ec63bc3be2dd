//! Agents on several threads that count together in a key that they share.

use std::sync::{Arc, Barrier};
use std::time::Duration;

use bt_core::prelude::*;
use bt_core::tree::asset::spec::{action, node, sequence};
use bt_core::{Mode, Runner, SharedBoard, TreeAsset, TreeSet};
use serde_json::json;

const THREADS: u64 = 8;
const ROUNDS: u64 = 50;

#[derive(Agent)]
struct Clerk {
    all: Arc<Barrier>,
}

#[agent]
impl Clerk {
    /// Waits until the others are here too: all have looked at the board by then, and none has
    /// written to it.
    #[action]
    fn meet(&mut self) {
        self.all.wait();
    }

    /// Counts in one step.
    #[action]
    fn count(cx: &mut Context) {
        cx.update("counted", |counted| {
            let had = counted.as_ref().and_then(|counted| counted.as_u64());
            *counted = Some((had.unwrap_or(0) + 1).into());
        });
    }

    /// Counts in two, between which others write.
    #[action]
    fn count_badly(cx: &mut Context) {
        let had: u64 = cx.get_as("lost").unwrap_or(0);
        cx.set("lost", had + 1);
    }
}

#[test]
fn eight_threads_lose_no_update_of_a_shared_key() {
    let keys = json!({
        "counted": {"type": "uint64", "initial": 0, "scope": "global"},
        "added": {"type": "uint64", "initial": 0, "scope": "global"},
        "lost": {"type": "uint64", "initial": 0, "scope": "global"}});
    let top = sequence([
        action("meet"),
        action("count"),
        action("number_add").arg("added").arg(1),
        action("count_badly"),
    ]);
    let mut trees = TreeSet::<Clerk>::new();
    let top = node("root").extra("blackboard", keys).child(top);
    trees.add(TreeAsset::build("main", "clerk", top));
    let trees = trees.build().unwrap();
    let (shared, all) = (SharedBoard::new(), Arc::new(Barrier::new(THREADS as usize)));
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                let mut runner = Runner::new(&trees, "main").unwrap().mode(Mode::Loop);
                runner.share(&shared);
                runner.start();
                let mut clerk = Clerk { all: all.clone() };
                for _ in 0..ROUNDS {
                    runner.poll(&mut clerk, Duration::ZERO);
                }
                assert_eq!(runner.diagnostics(), []);
            });
        }
    });
    assert_eq!(shared.get("counted"), THREADS * ROUNDS);
    assert_eq!(shared.get("added"), THREADS * ROUNDS);
    // What would be lost otherwise: each meeting loses all but one at least once.
    let lost: u64 = serde_json::from_value(shared.get("lost")).unwrap();
    assert!(lost < THREADS * ROUNDS, "{lost}");
}

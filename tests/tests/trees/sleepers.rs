//! The number of bytes of an agent that waits: exact, so asserted.

use std::time::Duration;

use allocation_counter::measure;
use bt_core::pool::Pool;
use bt_core::prelude::*;
use bt_core::tree::asset::spec::{NodeSpec, action, sequence, wait_event};
use bt_core::{Runner, TreeAsset, TreeSet, Trees};

/// So many that no list has room for more.
const AGENTS: usize = 1 << 16;

/// An agent without a size of its own.
#[derive(Agent)]
struct Moth;

#[agent]
impl Moth {
    /// Light.
    #[event]
    fn light();

    /// Keeps something until somebody finishes it.
    #[action]
    fn cling(&mut self, cx: &mut Context) -> Option<bool> {
        std::mem::forget(cx.completion());
        cx.on_exit(Claw(1));
        None
    }
}

struct Claw(u64);

impl Drop for Claw {
    fn drop(&mut self) {
        assert_eq!(self.0, 1);
    }
}

fn trees(leaf: NodeSpec) -> Trees<Moth> {
    let mut trees = TreeSet::<Moth>::new();
    trees.add(TreeAsset::build("night", "moth", sequence([leaf])));
    trees.build().unwrap()
}

fn runner(trees: &Trees<Moth>) -> Runner<Moth> {
    let mut runner = Runner::new(trees, "night").unwrap();
    runner.start();
    runner
}

/// The bytes of a runner whose agent waits in that leaf, in itself and elsewhere.
fn runner_that_waits(leaf: NodeSpec) -> (usize, i64) {
    let trees = trees(leaf);
    let mut runners: Vec<_> = (0..10).map(|_| runner(&trees)).collect();
    let counted = measure(|| {
        for runner in &mut runners {
            runner.poll(&mut Moth, Duration::ZERO);
        }
    });
    (size_of::<Runner<Moth>>(), counted.bytes_current / 10)
}

/// The bytes of one more agent of a pool that waits in that leaf.
fn sleeper(leaf: NodeSpec) -> f64 {
    let trees = trees(leaf);
    let mut pool = Pool::new();
    let counted = measure(|| {
        for _ in 0..AGENTS {
            pool.spawn(Moth, runner(&trees));
        }
        pool.poll(Duration::ZERO);
        // Lists of a round in which many were due are freed after one in which few are.
        assert_eq!(pool.poll(Duration::ZERO), 0);
    });
    assert_eq!(pool.len(), AGENTS);
    counted.bytes_current as f64 / AGENTS as f64
}

fn wait() -> NodeSpec {
    action("wait_for_seconds").arg(100)
}

#[test]
fn runner_that_waits_takes_so_many_bytes() {
    assert_eq!(runner_that_waits(wait()), (256, 0));
    assert_eq!(runner_that_waits(wait_event("light")), (256, 0));
    // With the answer, which whoever finishes it holds, and the guard.
    assert_eq!(runner_that_waits(action("cling")), (256, 296));
}

/// A runner, 16 bytes to know when it is due, and 16 of its alarm.
#[test]
fn agent_of_a_pool_that_waits_takes_32_bytes_more_than_its_runner() {
    let time = sleeper(wait());
    assert!((288.0..289.0).contains(&time), "{time}");
    let event = sleeper(wait_event("light"));
    assert!((272.0..273.0).contains(&event), "{event}");
}

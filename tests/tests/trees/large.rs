//! Trees far larger than any that people make: built and polled on a small stack, and no agent pays
//! for what it does not enter.

use std::time::Duration;

use allocation_counter::measure;
use bt_core::Runner;
use bt_core::tree::asset::TreeAsset;
use bt_core::tree::asset::spec::{NodeSpec, action, negative, node, select, sequence};
use bt_core::tree::check::{Limits, Rules};
use bt_core::{LeafState, TreeSet, Trees};
use bt_tests::probe::Probe;

/// Runs on a stack of 128 kB: whatever called itself once a level, or once a node, would overflow it.
fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(128 << 10);
    thread.spawn(run).unwrap().join().unwrap();
}

fn built(tree: TreeAsset) -> Trees<Probe> {
    let mut trees = TreeSet::new();
    trees.rules(Rules::default().limits(Limits {
        nodes: 1_000_000,
        depth: 10_001,
    }));
    trees.add(tree).build().unwrap()
}

fn begun(trees: &Trees<Probe>) -> Runner<Probe> {
    let mut runner = Runner::new(trees, "main").unwrap().budget(1_000_000);
    runner.start();
    runner.poll(&mut Probe::default(), Duration::ZERO);
    runner
}

/// Waits in the last leaf, and leaves it when its time has come.
fn waits_and_ends(trees: &Trees<Probe>) {
    let mut runner = begun(trees);
    assert_eq!(runner.active_leaves().len(), 1);
    assert_eq!(runner.active_leaves()[0].state, LeafState::Pending);
    assert_eq!(runner.next_wake(), Some(Duration::from_secs(5)));
    runner.poll(&mut Probe::default(), Duration::from_secs(5));
    runner.stop(&mut Probe::default(), Duration::from_secs(5));
    assert!(runner.active_nodes().is_empty() && runner.diagnostics().is_empty());
}

fn wait() -> NodeSpec {
    action("wait_for_seconds").arg(5)
}

#[test]
fn a_tree_of_ten_thousand_levels_is_built_and_polled() {
    let mut top = wait();
    for level in 0..9_999 {
        top = match level % 3 {
            0 => negative(top),
            1 => sequence([top]),
            _ => node("repeat").extra("count", 1).child(top),
        };
    }
    let tree = TreeAsset::build("main", "probe", top);
    assert_eq!(tree.nodes().len(), 10_001);
    on_a_small_stack(move || waits_and_ends(&built(tree)));
}

#[test]
fn a_tree_of_a_million_nodes_is_built_and_polled() {
    let branch = |last: bool| {
        let leaves = (0..997).map(move |leaf| match leaf {
            996 if last => wait(),
            0 if !last => node("always_false").child(action("nop")),
            _ => action("nop"),
        });
        sequence(leaves)
    };
    let tree = TreeAsset::build(
        "main",
        "probe",
        select((0..1_000).map(|at| branch(at == 999))),
    );
    assert!((998_000..=1_000_000).contains(&tree.nodes().len()));
    on_a_small_stack(move || waits_and_ends(&built(tree)));
}

#[test]
fn an_agent_pays_for_what_waits_and_not_for_the_tree() {
    let of = |count: usize| {
        let others = (0..count).map(|_| node("always_false").child(action("nop")));
        let waits = sequence([action("nop"), wait()]);
        built(TreeAsset::build(
            "main",
            "probe",
            select(others.chain([waits])),
        ))
    };
    let heap = |trees: &Trees<Probe>| {
        let mut runner = None;
        let counted = measure(|| runner = Some(begun(trees)));
        (counted.count_current, counted.bytes_current)
    };
    assert_eq!(heap(&of(10)), heap(&of(5_000)));
}

//! Trees that call one another without end.

use std::time::Duration;

use bt_core::tree::asset::spec::{NodeSpec, action, parallel, sequence, sub_tree};
use serde_json::json;

use crate::hostile::{Run, on_a_small_stack, tree, trees};

const TREES: usize = 10_000;
const DEEPEST: usize = 100;
/// Each of ten thousand trees keeps one leaf, and a few wait for the next poll.
const LIMIT: usize = 10_100;

/// So many trees, each of which calls the next; the last calls the first.
fn ring(count: usize, calls: impl Fn(&str) -> NodeSpec) -> Vec<(String, NodeSpec)> {
    let name = |at: usize| format!("t{}", at % count);
    (0..count)
        .map(|at| (name(at), calls(&name(at + 1))))
        .collect()
}

#[test]
fn ten_thousand_trees_that_call_one_another_end_at_the_limit() {
    on_a_small_stack(|| {
        let trees = trees(ring(TREES, |next| {
            sequence([action("now").arg("a"), sub_tree(next)])
        }));
        let mut run = Run::new(&trees);
        run.poll(Duration::ZERO);
        assert_eq!(run.runner.result(), Some(false));
        assert_eq!(run.calls(), DEEPEST + 1);
        let why = run.diagnostics();
        assert!(
            why.contains("t100: node 3 (sub_tree `t101`): `t101` is not called: trees call one another 100 deep at most"),
            "{why}"
        );
    });
}

#[test]
fn a_tree_that_calls_itself_twice_at_once_takes_no_more_than_its_budget_a_poll() {
    // Two to the power of a hundred calls, each of which fails.
    let calls = || parallel(2, 2, [sub_tree("t.json"), sub_tree("t.json")]);
    on_a_small_stack(move || {
        let trees = tree(calls());
        let mut run = Run::new(&trees);
        for second in 0..5 {
            let poll = run.poll(Duration::from_secs(second));
            assert_eq!(poll.next_wake, Some(Duration::from_secs(second)));
            assert!(run.runner.active_nodes().len() < 5 * DEEPEST);
        }
        let why = run.diagnostics();
        assert!(why.contains("10000"));
        assert!(
            why.contains("100 deep at most; `t.json` calls itself"),
            "{why}"
        );
        run.stop(Duration::from_secs(5));
    });
}

#[test]
fn trees_that_stay_while_they_call_more_are_no_more_than_a_limit_at_once() {
    // Each call keeps a leaf, so what runs at once doubles without end.
    let calls = parallel(
        3,
        3,
        [
            sub_tree("t.json"),
            sub_tree("t.json"),
            action("polled").arg("a"),
        ],
    );
    on_a_small_stack(move || {
        let trees = tree(calls);
        let mut run = Run::new(&trees);
        run.polls(5);
        assert!(run.runner.active_leaves().len() < LIMIT);
        let why = run.diagnostics();
        assert!(why.contains("trees run at once at most"), "{why}");
        run.polls(5);
        assert!(run.runner.active_leaves().len() < LIMIT);
        run.stop(Duration::from_secs(12));
    });
}

#[test]
fn trees_that_transfer_to_one_another_at_once_take_a_budget_a_poll() {
    on_a_small_stack(|| {
        let trees = trees(ring(100, |next| {
            sequence([
                action("now").arg("a"),
                sub_tree(next).extra("mode", "transfer"),
            ])
        }));
        let mut run = Run::new(&trees);
        run.polls(3);
        assert!(run.calls() <= 3 * 10_000);
        assert!(run.runner.active_nodes().len() < 5);
        run.stop(Duration::from_secs(3));
    });
}

#[test]
fn ten_thousand_names_of_trees_that_there_are_not_are_listed_to_a_limit() {
    let calls = (0..TREES).map(|at| sub_tree(&format!("no{at}")));
    let text = bt_core::TreeAsset::build("t.json", "probe", sequence(calls)).to_json();
    let why = crate::hostile::wrong(&text);
    assert!(
        why.contains("node 2: ") && why.contains("`no0`"),
        "{}",
        &why[..300]
    );
    assert!(why.ends_with("\nand 9000 more"));
}

#[test]
fn events_that_start_trees_that_fire_them_again_take_a_budget_a_poll() {
    let taken = json!([{"event": "go", "tree": "t1", "mode": "return"}]);
    let fire = || action("fire_event").arg("go");
    let trees = trees([
        (
            "t0".to_owned(),
            parallel(
                2,
                1,
                [
                    fire(),
                    action("polled").arg("a").extra("events", taken.clone()),
                ],
            ),
        ),
        (
            "t1".to_owned(),
            parallel(
                2,
                1,
                [fire(), action("polled").arg("b").extra("events", taken)],
            ),
        ),
    ]);
    let mut run = Run::new(&trees);
    run.polls(5);
    assert!(run.calls() <= DEEPEST + 1);
    assert!(run.diagnostics().contains("too many trees are suspended"));
    run.stop(Duration::from_secs(5));
}

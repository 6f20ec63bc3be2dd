//! Chance: fresh orders, weights, and one seed.

use std::collections::BTreeSet;

use bt_core::Mode;
use bt_core::tree::asset::spec::{NodeSpec, node};
use bt_tests::probe::*;

use super::{leaves, replies};

/// The orders in which children are entered, run by run.
fn orders(tree: NodeSpec, seed: u64, runs: usize, on: bool) -> Vec<String> {
    let mut play = Play::new(tree).with(|runner| runner.seed(seed).mode(Mode::Loop));
    for name in ["a", "b", "c"] {
        play.always(name, on);
    }
    let mut all = Vec::new();
    for _ in 0..runs {
        play.again();
        let log = play.log();
        let entered = log.iter().filter_map(|line| line.strip_prefix("enter "));
        all.push(entered.collect());
    }
    all
}

fn shuffled(kind: &str) -> NodeSpec {
    node(kind).children(leaves("RRR"))
}

#[test]
fn each_entry_of_a_random_composite_draws_a_fresh_order_of_all_children() {
    for (kind, on) in [("random_seq", true), ("random_select", false)] {
        let all = orders(shuffled(kind), 7, 600, on);
        let different: BTreeSet<_> = all.iter().collect();
        assert_eq!(different.len(), 6, "{kind}: all orders there are");
        for order in &different {
            let count = all.iter().filter(|other| other == order).count();
            assert!((60..140).contains(&count), "{kind}: {order} {count} times");
        }
    }
}

#[test]
fn one_seed_is_one_sequence_of_orders() {
    for kind in ["random_seq", "random_select"] {
        let draw = |seed| orders(shuffled(kind), seed, 30, kind == "random_seq");
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
    }
}

#[test]
fn an_order_is_kept_while_it_runs() {
    let mut play = Play::new(shuffled("random_seq"));
    play.again();
    let mut entered = Vec::new();
    while let Some(name) = ["a", "b", "c"]
        .iter()
        .find(|name| play.probe.log.open() == [**name])
    {
        entered.push(*name);
        assert_eq!(play.polls(), [R, R], "it waits for {name}");
        play.end(name, true);
        play.again();
    }
    let different: BTreeSet<_> = entered.iter().collect();
    assert_eq!((entered.len(), different.len()), (3, 3));
    assert_eq!(play.runner.result(), Some(true));
}

#[test]
fn a_random_composite_is_cut_short_as_its_like() {
    for (kind, on) in [("random_seq", false), ("random_select", true)] {
        for order in orders(shuffled(kind), 3, 20, on) {
            assert_eq!(order.len(), 1, "{kind}");
        }
    }
    let mut play = Play::new(node("random_select").children(leaves("FFF")));
    replies(&mut play, "FFF");
    assert_eq!(play.again(), F);
}

/// The number of times that each child is drawn.
fn draws(weights: &[f64], runs: usize) -> Vec<usize> {
    let letters = "S".repeat(weights.len());
    let tree = node("probility")
        .extra("prob", weights.to_vec())
        .children(leaves(&letters));
    let mut play = Play::new(tree).with(|runner| runner.seed(5).mode(Mode::Loop));
    let names: Vec<_> = super::names(&letters).map(|(name, _)| name).collect();
    for name in &names {
        play.always(name, true);
    }
    for _ in 0..runs {
        assert_eq!(play.again(), S);
    }
    let log = play.log();
    let count = |name: &String| {
        log.iter()
            .filter(|line| **line == format!("enter {name}"))
            .count()
    };
    names.iter().map(count).collect()
}

#[test]
fn probability_draws_one_child_by_weight() {
    let found = draws(&[1.0, 2.0, 1.0], 4000);
    assert_eq!(found.iter().sum::<usize>(), 4000, "one for each entry");
    for (count, share) in found.iter().zip([1000, 2000, 1000]) {
        assert!(count.abs_diff(share) < 150, "{found:?}");
    }
}

#[test]
fn a_weight_of_zero_is_never_drawn() {
    assert_eq!(draws(&[0.0, 1.0, 0.0], 200), [0, 200, 0]);
    assert_eq!(draws(&[0.0, 0.0, 1e-300], 50), [0, 0, 50]);
    let found = draws(&[1.0, 0.0, 3.0], 500);
    assert_eq!(found[1], 0);
    assert!(found[0] > 0 && found[2] > found[0]);
}

#[test]
fn the_result_of_the_child_that_was_drawn_is_final() {
    for result in [true, false] {
        let tree = node("probility")
            .extra("prob", vec![0, 1])
            .children(leaves("SR"));
        let mut play = Play::new(tree);
        assert_eq!(play.again(), R);
        assert_eq!(play.polls(), [R, R], "kept while it runs");
        play.end("b", result);
        assert_eq!(play.again(), if result { S } else { F });
        assert!(!play.brief().contains("+a"));
    }
}

#[test]
fn weights_that_are_all_zero_fail_with_a_diagnostic() {
    let tree = node("probility")
        .extra("prob", vec![0, 0])
        .children(leaves("SS"));
    let mut play = Play::new(tree);
    assert_eq!(play.again(), F);
    let why = play.diagnostics();
    assert!(
        why[0].contains("(probility)") && why[0].contains("weights"),
        "{why:?}"
    );
    assert_eq!(play.brief(), "");
}

//! A million nodes: read from a file, built and polled, or refused.

use std::time::Duration;

use bt_core::TreeAsset;
use bt_core::tree::asset::MAX_NODES;
use bt_core::tree::asset::spec::node as spec;

use crate::hostile::{Run, built, file, node, on_a_small_stack, tree, wrong};

#[test]
fn a_million_nodes_side_by_side_are_read_built_and_entered_a_budget_at_a_time() {
    on_a_small_stack(|| {
        let last = MAX_NODES - 1;
        let children: Vec<_> = (2..=last).map(|idx| idx.to_string()).collect();
        let mut nodes = vec![
            node("0", "root", "1", r#""agent_name":"probe""#),
            node("1", "sequence", &children.join(","), ""),
        ];
        nodes.extend(
            children
                .iter()
                .map(|idx| node(idx, "always_running", "", "")),
        );
        let mut text = file(nodes);
        let trees = built(&text).unwrap();
        assert_eq!(trees.node_count(), MAX_NODES);
        let mut run = Run::new(&trees);
        run.polls(3);
        assert_eq!(run.runner.active_leaves().len(), 1);
        run.stop(Duration::from_secs(3));
        // One node more.
        text = text.replacen("[\n", "[\n{},", 1);
        let why = wrong(&text);
        assert!(why.contains("more than 1000000 nodes"), "{why}");
    });
}

#[test]
fn a_million_nodes_below_one_another_are_refused_at_the_first_that_is_too_deep() {
    on_a_small_stack(|| {
        let chain = (0..MAX_NODES).map(|idx| match idx {
            0 => node("0", "root", "1", ""),
            _ if idx + 1 == MAX_NODES => node(&idx.to_string(), "action", "", ""),
            _ => node(&idx.to_string(), "once", &(idx + 1).to_string(), ""),
        });
        let why = wrong(&file(chain));
        let expected = "t.json:258:1: node 256: more than 256 nodes below one another";
        assert_eq!(why, expected);
    });
}

const COUNT: usize = 100_000;

#[test]
fn a_hundred_thousand_nodes_in_a_circle_are_refused() {
    on_a_small_stack(|| {
        let circle = (1..COUNT).map(|idx| {
            node(
                &idx.to_string(),
                "once",
                &(idx % (COUNT - 1) + 1).to_string(),
                "",
            )
        });
        let why = wrong(&file(circle.chain([node("0", "root", "", "")])));
        let expected = "node 1: is below itself: 1 -> 2 -> 3 -> 4 -> 5 -> …";
        assert!(why.contains(expected), "{why}");
    });
}

#[test]
fn a_tree_of_waits_is_begun_a_budget_at_a_time_and_left_at_once() {
    // A parallel does not need to wait for its children's turn to be left.
    let waits = (0..20_000).map(|_| spec("always_running"));
    let trees = tree(spec("parallel").children(waits).extra("success", 1));
    let mut run = Run::new(&trees);
    run.poll(Duration::ZERO);
    assert!(run.diagnostics().contains("10000"));
    run.polls(3);
    assert_eq!(run.runner.active_leaves().len(), 20_000);
    run.stop(Duration::from_secs(9));
}

#[test]
fn a_hundred_thousand_lines_are_a_tree_or_refused() {
    on_a_small_stack(|| {
        let lines = "    nop\n".repeat(100_000);
        let tree = TreeAsset::from_script("t", &format!("SEQUENCE\n{lines}")).unwrap();
        assert_eq!(tree.nodes().len(), 100_002);
        let stairs: String = (0..3_000).map(|step| " ".repeat(step) + "nop\n").collect();
        let why = TreeAsset::from_script("t", &stairs)
            .unwrap_err()
            .to_string();
        assert!(
            why.contains("more than 256 nodes below one another"),
            "{why}"
        );
    });
}

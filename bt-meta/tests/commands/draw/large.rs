//! Large trees and deep ones.

use std::time::{Duration, Instant};

use bt_core::TreeAsset;
use bt_core::tree::asset::MAX_DEPTH;
use bt_meta::draw::{Direction, Format, draw};
use serde_json::{Value, json};

use crate::draw::svg;

const FORMATS: [Format; 4] = [Format::Text, Format::Svg, Format::Dot, Format::Mermaid];

/// A tree whose nodes have these parents; the first is the root.
fn tree(parents: &[usize]) -> TreeAsset {
    let mut nodes: Vec<Value> = Vec::new();
    for (idx, parent) in parents.iter().enumerate() {
        let kind = if idx == 0 { "root" } else { "sequence" };
        nodes.push(json!({"idx": idx, "type": kind, "children": [], "comment": "What it is for.", "extra": {}}));
        if idx > 0 {
            nodes[*parent]["children"]
                .as_array_mut()
                .unwrap()
                .push(idx.into());
        }
    }
    TreeAsset::from_json("large.json", &json!({"nodes": nodes}).to_string()).unwrap()
}

#[test]
fn ten_thousand_nodes_are_drawn_in_no_time() {
    let heap: Vec<usize> = (0..10_000_usize)
        .map(|idx| idx.saturating_sub(1) / 3)
        .collect();
    let broad = vec![0; 10_000];
    for parents in [heap, broad] {
        let trees = [tree(&parents)];
        for format in FORMATS {
            let begun = Instant::now();
            let picture = draw(&trees, format, Direction::Down);
            // What takes the square of the time takes longer on any machine.
            assert!(
                begun.elapsed() < Duration::from_secs(60),
                "{format:?}: {:?}",
                begun.elapsed()
            );
            if format == Format::Svg {
                assert_eq!(svg::read(&picture).len(), 10_000);
            }
        }
    }
}

#[test]
fn a_tree_as_deep_as_can_be_read_is_drawn_on_a_small_stack() {
    let parents: Vec<usize> = (0..MAX_DEPTH).map(|idx| idx.saturating_sub(1)).collect();
    let trees = [tree(&parents)];
    let drawn = move || {
        for format in FORMATS {
            let picture = draw(&trees, format, Direction::Right);
            assert!(picture.contains("sequence"));
        }
    };
    let thread = std::thread::Builder::new().stack_size(128 << 10);
    thread.spawn(drawn).unwrap().join().unwrap();
}

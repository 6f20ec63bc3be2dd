//! A tree at play, whose nodes have the numbers that the test says, and changed trees for it.

use bt_core::reload::{Changes, Reload};
use bt_core::tree::asset::spec::NodeSpec;
use bt_core::{TreeAsset, TreeSet, Trees};
use bt_tests::probe::*;
use serde_json::Value;

/// A node with that `idx`.
pub(crate) fn n(idx: u32, node: NodeSpec) -> NodeSpec {
    node.comment(format!("#{idx}"))
}

/// A tree whose nodes have the numbers that [`n`] gave them; others have some from 1000 on.
pub(crate) fn tree(name: &str, top: NodeSpec) -> TreeAsset {
    let text = TreeAsset::build(name, "probe", top).to_json();
    let mut file: Value = serde_json::from_str(&text).expect("it is JSON");
    let nodes = file["nodes"].as_array_mut().expect("it has nodes");
    let number = |node: &Value| {
        let idx = node["idx"].as_u64().expect("a number");
        let said = node["comment"]
            .as_str()
            .and_then(|text| text.strip_prefix('#'));
        match (said, idx) {
            (Some(said), _) => said.parse().expect("a number"),
            (None, 0) => 0,
            (None, idx) => 1000 + idx,
        }
    };
    let numbers: Vec<(u64, u64)> = nodes
        .iter()
        .map(|node| (node["idx"].as_u64().expect("a number"), number(node)))
        .collect();
    let new = |idx: &Value| {
        let idx = idx.as_u64();
        let found = numbers.iter().find(|(old, _)| Some(*old) == idx);
        Value::from(found.expect("it is there").1)
    };
    for node in nodes {
        node["idx"] = new(&node["idx"]);
        let children = node["children"].as_array_mut().expect("it has children");
        children.iter_mut().for_each(|child| *child = new(child));
        if !node["parent"].is_null() {
            node["parent"] = new(&node["parent"]);
        }
    }
    TreeAsset::from_json(name, &file.to_string()).unwrap_or_else(|error| panic!("{error}"))
}

/// Trees of the probe.
pub(crate) fn set(trees: impl IntoIterator<Item = TreeAsset>) -> Trees<Probe> {
    let mut set = TreeSet::new();
    for tree in trees {
        set.add(tree);
    }
    set.build().unwrap_or_else(|error| panic!("{error}"))
}

/// One tree, `main`, that is run once.
pub(crate) fn play(main: NodeSpec) -> Play {
    Play::of([tree("main", main)]).unwrap_or_else(|error| panic!("{error}"))
}

/// Some trees, of which the first is run once.
pub(crate) fn plays<const N: usize>(trees: [(&str, NodeSpec); N]) -> Play {
    let trees = trees.map(|(name, top)| tree(name, top));
    Play::of(trees).unwrap_or_else(|error| panic!("{error}"))
}

/// Its tree is changed: it moves with the next poll.
pub(crate) fn change(play: &mut Play, main: NodeSpec) {
    changes(play, [("main", main)]);
}

/// The same of some trees.
pub(crate) fn changes<const N: usize>(play: &mut Play, trees: [(&str, NodeSpec); N]) {
    let new = set(trees.map(|(name, top)| tree(name, top)));
    move_to(play, &new);
}

pub(crate) fn move_to(play: &mut Play, new: &Trees<Probe>) {
    let changes = Changes::between(play.runner.trees(), new);
    play.runner.reload(&changes);
}

/// The report of the reload.
pub(crate) fn report(play: &Play) -> &Reload {
    play.runner.last_reload().expect("it has moved")
}

/// The numbers of nodes.
pub(crate) fn numbers(nodes: &[bt_core::reload::Node]) -> Vec<u32> {
    nodes.iter().map(|node| node.idx()).collect()
}

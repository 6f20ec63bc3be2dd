//! Nodes and kinds as the page shows them.

use std::collections::BTreeSet;

use bt_core::Registry;
use bt_core::TreeAsset;
use bt_core::kinds::attached::is_disabled;
use bt_core::kinds::{self, Kind};
use bt_core::tree::asset::{AssetNode, WHITE};
use bt_meta::draw;

use crate::protocol::{AttachedLine, Card, KindInfo, View};

/// A tree as it is shown. `path_of`: the path of the tree that a name means.
pub fn view(tree: &TreeAsset, path_of: &dyn Fn(&str) -> Option<String>) -> View {
    View {
        name: tree.name().to_owned(),
        agent: tree.agent().map(str::to_owned),
        root: tree.root().idx(),
        cards: {
            let disabled = tree.disabled();
            let nodes = tree.preorder();
            nodes
                .map(|node| card(tree, node, &disabled, path_of))
                .collect()
        },
    }
}

/// A node as it is shown.
/// `disabled`: the nodes of the tree that are not built.
pub fn card(
    tree: &TreeAsset,
    node: &AssetNode,
    disabled: &BTreeSet<u32>,
    path_of: &dyn Fn(&str) -> Option<String>,
) -> Card {
    let shown = draw::card(node);
    let attached = shown.attached.into_iter();
    Card {
        idx: node.idx(),
        parent: node.parent(),
        children: node.children().to_vec(),
        kind: node.kind.clone(),
        group: shown.group.to_owned(),
        symbol: shown.symbol.to_owned(),
        title: shown.title,
        arguments: shown.arguments,
        parameters: shown.parameters,
        attached: attached
            .map(|(when, what)| AttachedLine { when, what })
            .collect(),
        comment: node.comment.clone(),
        color: (node.color != WHITE).then_some(node.color),
        collapsed: node.is_collapsed,
        disabled: is_disabled(&node.extra),
        left_out: disabled.contains(&node.idx()),
        calls: shown.calls.and_then(|name| path_of(&name)),
        unknown_kind: Kind::named(&node.kind).is_none(),
        pointer: tree.pointer(node.idx()).unwrap_or_default(),
    }
}

/// So many nodes are in the form of a tree, at most.
const MOST_SHAPED: usize = 60;

/// The form of a tree as a text: a letter for the group of each node, and what is below it in round brackets.
/// Of a larger tree it has the first nodes, level by level.
pub fn shape(tree: &TreeAsset) -> String {
    let mut level = vec![tree.root()];
    let mut kept = BTreeSet::new();
    while !level.is_empty() && kept.len() < MOST_SHAPED {
        let room = MOST_SHAPED - kept.len();
        kept.extend(level.iter().take(room).map(|node| node.idx()));
        let children = level.iter().flat_map(|node| node.children());
        level = children.filter_map(|child| tree.node(*child)).collect();
    }
    let mut text = String::new();
    let mut todo = vec![Shaped::Node(tree.root())];
    while let Some(next) = todo.pop() {
        let node = match next {
            Shaped::End => {
                text.push(')');
                continue;
            }
            Shaped::Node(node) => node,
        };
        let group = Kind::named(&node.kind).map_or("unknown", draw::group_of);
        text.push(letter(group));
        let children = node.children().iter().filter(|child| kept.contains(child));
        let children: Vec<_> = children.filter_map(|child| tree.node(*child)).collect();
        if !children.is_empty() {
            text.push('(');
            todo.push(Shaped::End);
            todo.extend(children.into_iter().rev().map(Shaped::Node));
        }
    }
    text
}

/// A step of [`shape`].
enum Shaped<'t> {
    Node(&'t AssetNode),
    End,
}

fn letter(group: &str) -> char {
    match group {
        "root" => 'r',
        "composite" => 'c',
        "decorator" => 'd',
        "action" => 'a',
        "condition" => 'q',
        "event" => 'e',
        "tree" => 't',
        "control" => 'x',
        _ => 'u',
    }
}

/// The path of the tree that a node runs, if there is one.
pub fn calls(node: &AssetNode, path_of: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    draw::card(node).calls.and_then(|name| path_of(&name))
}

/// The kinds of nodes that the game runs, or that this program knows.
pub fn kinds(registry: Option<&Registry>) -> Vec<KindInfo> {
    let of_game = registry.map(|registry| registry.catalogue().node_kinds.clone());
    let all = of_game.filter(|kinds| !kinds.is_empty());
    let all = all.unwrap_or_else(kinds::node_kinds).into_iter();
    let each = all.map(|entry| {
        let kind = Kind::named(&entry.name);
        let group = kind.map_or("unknown", draw::group_of);
        KindInfo {
            group: group.to_owned(),
            symbol: kind.map_or("·", |kind| kind.about().symbol).to_owned(),
            brief: entry.brief,
            min_children: entry.child_min,
            max_children: entry.child_max,
            schema: entry.params,
            leaf: entry.child_max == Some(0),
            deprecated: None,
            name: entry.name,
        }
    });
    each.collect()
}

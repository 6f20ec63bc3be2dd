//! Whatever stands in a tree, a picture is well-formed and shows the tree.

use bt_core::TreeAsset;
use bt_core::kinds::node_kinds;
use bt_core::tree::asset::{AssetNode, NodeData, spec};
use bt_meta::draw::{Direction, Format, draw};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::draw::dot::Graph;
use crate::draw::{dot, mermaid, svg};

/// Texts that mean something somewhere, and any others.
fn text() -> impl Strategy<Value = String> {
    let bad = prop::sample::select(vec![
        "\"",
        "\\",
        "\\N",
        "\\\"",
        "\"]",
        "<b>",
        "</title>",
        "]]>",
        "&",
        "&amp;",
        "#",
        "#quot;",
        ";",
        "`",
        "-->",
        "end",
        "{{",
        "}}",
        "[[",
        "|",
        "%%",
        "\n",
        "\r\n",
        "\t",
        "\0",
        "\u{1b}[2J",
        "\u{9b}",
        "\u{202e}",
        "\u{fffe}",
        "\u{ffff}",
        "'",
        "<!--",
        "--",
        "\u{301}",
        "樹",
        "🐺",
        "﷽",
        "a",
        " ",
    ]);
    let piece = prop_oneof![4 => bad.prop_map(str::to_owned), 1 => any::<String>()];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        text().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        Just(Value::Null),
        Just(Value::Bool(true)),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let keys = prop_oneof![
            text(),
            prop::sample::select(vec![
                "arg_type",
                "arg_value",
                "arg_name",
                "condition_name",
                "condition_args",
                "action_name",
                "seconds",
                "event",
                "tree",
                "mode",
                "abort",
                "enter",
                "params",
                "type",
                "initial",
                "scope",
            ])
            .prop_map(str::to_owned),
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((keys, inner), 0..5)
                .prop_map(|pairs| Value::from(Map::from_iter(pairs))),
        ]
    })
}

fn extra() -> impl Strategy<Value = Map<String, Value>> {
    let keys = prop::sample::select(vec![
        "agent_name",
        "action_name",
        "action_args",
        "decorator_name",
        "decorator_args",
        "event",
        "params",
        "sub_tree_name",
        "name_key",
        "mode",
        "args",
        "prob",
        "success",
        "failure",
        "count",
        "seconds",
        "on",
        "status",
        "guards",
        "effects",
        "services",
        "events",
        "blackboard",
        "reset_if",
        "rerun",
        "keep_place",
    ]);
    prop::collection::vec((keys.prop_map(str::to_owned), value()), 0..6).prop_map(Map::from_iter)
}

prop_compose! {
    fn node()(
        kind in prop_oneof![
            4 => prop::sample::select(node_kinds()).prop_map(|kind| kind.name),
            1 => text(),
        ],
        comment in text(),
        extra in extra(),
    ) -> NodeData {
        let mut node = NodeData::new(kind);
        node.comment = comment;
        node.extra = extra;
        node
    }
}

fn tree() -> impl Strategy<Value = TreeAsset> {
    let nodes = prop::collection::vec((node(), any::<prop::sample::Index>()), 0..12);
    (text(), text(), nodes).prop_map(|(name, agent, nodes)| {
        let mut tree = TreeAsset::new(name, &agent);
        for (node, parent) in nodes {
            let parent = parent.get(tree.nodes()).idx();
            let at = tree.node(parent).unwrap().children().len();
            let idx = tree.insert(parent, at, spec::node("sequence")).unwrap();
            *tree.node_mut(idx).unwrap() = node;
        }
        tree
    })
}

/// The edges from parent to child, by their places from the root downwards, of the tree at a place of the
/// picture.
pub(crate) fn edges(at: usize, tree: &TreeAsset) -> Vec<(String, String)> {
    let order: Vec<u32> = tree.preorder().map(|node| node.idx()).collect();
    let name = |idx: &u32| {
        format!(
            "t{at}n{}",
            order.iter().position(|other| other == idx).unwrap()
        )
    };
    let of = |node: &AssetNode| {
        let from = name(&node.idx());
        let to = node.children().iter().map(name);
        to.map(|to| (from.clone(), to)).collect::<Vec<_>>()
    };
    tree.preorder().flat_map(of).collect()
}

proptest! {
    #[test]
    fn every_picture_is_well_formed_and_shows_every_node(tree in tree()) {
        let trees = [tree];
        let count = trees[0].nodes().len();
        for direction in [Direction::Down, Direction::Right] {
            let texts = svg::read(&draw(&trees, Format::Svg, direction));
            prop_assert_eq!(texts.len(), count);
        }
        let drawn = |format| draw(&trees, format, Direction::Down);
        for graph in [dot::read(&drawn(Format::Dot)), mermaid::read(&drawn(Format::Mermaid))] {
            prop_assert_eq!(graph.nodes.len(), count);
            prop_assert_eq!(graph.edges, edges(0, &trees[0]));
        }
        let outline = drawn(Format::Text);
        let steers = |c: char| c.is_control() && c != '\n' || "\u{202e}\u{2066}".contains(c);
        prop_assert!(!outline.contains(steers), "{outline:?}");
    }
}

#[test]
fn names_are_seen_as_they_are() {
    let name = "a \"b\" <c> & \\N #d; `e` [f] *g*";
    let nodes = json!({"nodes": [
        {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "x"}},
        {"idx": 1, "type": "action", "children": [], "extra": {"action_name": name, "guards": [
            {"condition_name": name}]}},
    ]});
    let tree = [TreeAsset::from_json("t", &nodes.to_string()).unwrap()];
    let drawn = |format| draw(&tree, format, Direction::Down);
    let shown = |graph: Graph| graph.nodes[1].1.trim_end().to_owned();
    let expect = format!("▸ {name} #1\nif {name}");
    assert_eq!(shown(dot::read(&drawn(Format::Dot))), expect);
    assert_eq!(shown(mermaid::read(&drawn(Format::Mermaid))), expect);
    assert_eq!(
        svg::read(&drawn(Format::Svg))[1],
        format!("#1 {name}\nif {name}")
    );
}

//! Tests of writing: the text equals the one that was read.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::tree::asset::spec::{action, node, parallel, sequence};

#[test]
fn a_tree_is_written_as_the_contract_says() {
    let tree = TreeAsset::build(
        "t.json",
        "monster_agent",
        action("chase").arg(5).key("range"),
    );
    assert_eq!(
        tree.to_json(),
        r#"{
  "extra": {},
  "name": "t.json",
  "nodes": [
    {
      "children": [
        1
      ],
      "color": 4294967295,
      "comment": "",
      "extra": {
        "agent_name": "monster_agent"
      },
      "idx": 0,
      "is_collapsed": false,
      "type": "root"
    },
    {
      "children": [],
      "color": 4294967295,
      "comment": "",
      "extra": {
        "action_args": [
          {
            "arg_type": "plain",
            "arg_value": 5
          },
          {
            "arg_type": "blackboard",
            "arg_value": "range"
          }
        ],
        "action_name": "chase"
      },
      "idx": 1,
      "is_collapsed": false,
      "parent": 0,
      "type": "action"
    }
  ],
  "signature": "",
  "tree_type": ""
}
"#
    );
}

#[test]
fn writer_keeps_unknown_keys_and_adds_none() {
    let written = json!({"zoom": 1.5, "signature": "s", "nodes": [
        {"idx": 8, "parent": 3, "type": "probility", "children": [], "comment": "c", "color": 7,
         "is_collapsed": true, "extra": {"own": [null]}, "pos": {"x": 1, "y": 0.1}},
        {"idx": 3, "type": "root", "children": [8], "comment": "", "color": 0,
         "is_collapsed": false, "extra": {}},
    ]});
    let tree = TreeAsset::from_json("t", &written.to_string()).unwrap();
    assert_eq!(tree.to_value(), written);
    assert_eq!(tree.node(8).unwrap().others["pos"]["y"], 0.1);
    assert_eq!((tree.signature(), tree.tree_type()), ("s", ""));
}

#[test]
fn normalising_fills_in_and_renumbers() {
    let text = file(&[
        "9 action 4",
        "4 sequence 30 20 9",
        "30 root - 4",
        "20 action 4",
    ]);
    let mut tree = TreeAsset::from_json("t", &text).unwrap();
    tree.node_mut(9).unwrap().comment = "last".to_owned();
    tree.normalise();
    assert_eq!(shape(&tree), "0[1] 1[2 3] 2[] 3[]");
    let order: Vec<_> = tree.nodes().iter().map(AssetNode::idx).collect();
    assert_eq!(order, [0, 1, 2, 3]);
    assert_eq!(tree.node(3).unwrap().comment, "last");
    assert_eq!(
        Value::from(tree.keys().clone()),
        json!({"name": "t", "extra": {}, "tree_type": "", "signature": ""})
    );
    let once = tree.clone();
    tree.normalise();
    assert_eq!(tree, once);
}

#[test]
fn a_parallel_with_disabled_children_is_written_with_the_threshold_that_it_states() {
    let three = [
        action("a"),
        action("b").extra("disabled", true),
        action("c"),
    ];
    let top = node("parallel").extra("success", 2).children(three);
    let tree = TreeAsset::build("t", "a", top);
    assert_eq!(tree.to_value()["nodes"][1]["extra"], json!({"success": 2}));
}

#[test]
fn a_parallel_that_states_one_threshold_is_written_with_both() {
    let three = || [action("a"), action("b"), action("c")];
    for (extra, written) in [
        (json!({}), json!({})),
        (json!({"success": 2}), json!({"success": 2, "failure": 2})),
        (json!({"success": 3}), json!({"success": 3, "failure": 1})),
        (json!({"failure": 1}), json!({"success": 3, "failure": 1})),
        (
            json!({"success": 1, "failure": 1}),
            json!({"success": 1, "failure": 1}),
        ),
        // For the build to refuse.
        (json!({"success": 4}), json!({"success": 4})),
        (json!({"failure": 0}), json!({"failure": 0})),
        (json!({"success": "2"}), json!({"success": "2"})),
        (
            json!({"success": 2, "failure": null}),
            json!({"success": 2, "failure": null}),
        ),
    ] {
        let mut tree = TreeAsset::build("t", "a", node("parallel").children(three()));
        tree.node_mut(1).unwrap().extra = extra.as_object().unwrap().clone();
        assert_eq!(tree.to_value()["nodes"][1]["extra"], written, "{extra}");
    }
    let tree = TreeAsset::build("t", "a", sequence([parallel(2, 1, three())]));
    assert_eq!(tree.node(2).unwrap().extra["failure"], 1);
}

#[test]
fn keys_that_the_library_writes_are_not_taken_from_the_others() {
    let mut tree = TreeAsset::build("t", "a", action("x"));
    for idx in [0, 1] {
        let others = &mut tree.node_mut(idx).unwrap().others;
        for key in ["idx", "type", "parent", "children", "extra"] {
            others.insert(key.to_owned(), json!("no"));
        }
    }
    tree.keys_mut().insert("nodes".to_owned(), json!("no"));
    let clean = TreeAsset::build("t", "a", action("x"));
    assert_eq!(tree.to_json(), clean.to_json());
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(|float| json!(float)),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(any::<String>(), inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Keys of which none is `known`.
fn map(known: &'static [&'static str]) -> impl Strategy<Value = Map<String, Value>> {
    prop::collection::btree_map(any::<String>(), value(), 0..3).prop_map(|map| {
        map.into_iter()
            .filter(|(key, _)| !known.contains(&key.as_str()))
            .collect()
    })
}

const KNOWN: &[&str] = &[
    "idx",
    "type",
    "parent",
    "children",
    "comment",
    "color",
    "is_collapsed",
    "extra",
    "nodes",
    "name",
    "tree_type",
    "signature",
];

fn data() -> impl Strategy<Value = NodeData> {
    let kind = prop_oneof![Just("parallel".to_owned()), "[a-z_]{0,8}", any::<String>()];
    let kind = kind.prop_filter("one root", |kind| kind != "root");
    let words = (kind, any::<String>(), any::<u32>(), any::<bool>());
    // A lone threshold is written with the other one.
    (words, map(&["success", "failure"]), map(KNOWN)).prop_map(
        |((kind, comment, color, is_collapsed), extra, others)| NodeData {
            kind,
            comment,
            color,
            is_collapsed,
            extra,
            others,
        },
    )
}

/// A tree of any shape, numbers and order.
fn tree() -> impl Strategy<Value = TreeAsset> {
    let node = (data(), any::<prop::sample::Index>(), any::<u32>());
    let nodes = prop::collection::vec(node, 0..12);
    (nodes, map(KNOWN), any::<u64>()).prop_map(|(nodes, keys, order)| {
        let mut tree = TreeAsset::new("t", "agent");
        for (data, parent, gap) in nodes {
            let parent = tree.nodes()[parent.index(tree.nodes().len())].idx();
            let spec = spec::NodeSpec {
                data,
                children: Vec::new(),
            };
            let idx = tree.insert(parent, 0, spec).unwrap();
            renumber(&mut tree, idx, gap);
        }
        tree.keys = keys;
        let count = tree.nodes.list.len();
        tree.nodes.list.rotate_left(order as usize % count);
        let list = tree.nodes.list.iter().enumerate();
        tree.nodes.by_idx = list.map(|(at, node)| (node.idx, at)).collect();
        tree
    })
}

fn renumber(tree: &mut TreeAsset, from: u32, to: u32) {
    if tree.node(to).is_some() {
        return;
    }
    let nodes = &mut tree.nodes;
    let at = nodes.by_idx.remove(&from).unwrap();
    nodes.by_idx.insert(to, at);
    nodes.list[at].idx = to;
    let parent = nodes.list[at].parent.unwrap();
    for child in &mut nodes.get_mut(parent).unwrap().children {
        if *child == from {
            *child = to;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn reading_what_was_written_gives_it_back(tree in tree()) {
        let text = tree.to_json();
        let read = TreeAsset::from_json("t", &text).unwrap();
        prop_assert_eq!(&read, &tree);
        prop_assert_eq!(read.to_json(), text);
        shape(&read);
    }

    #[test]
    fn normalising_changes_numbers_alone(tree in tree()) {
        let mut normal = tree.clone();
        normal.normalise();
        let data = |tree: &TreeAsset| tree.preorder().map(|node| node.data().clone()).collect::<Vec<_>>();
        prop_assert_eq!(data(&normal), data(&tree));
        prop_assert_eq!(normal.copy(0), tree.copy(tree.root().idx()));
        shape(&normal);
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in any::<Vec<u8>>(), text in "[\\[\\]{}\",:0-9a-f\\\\ ]{0,60}") {
        let _ = TreeAsset::from_slice("t", &bytes);
        let _ = TreeAsset::from_json("t", &text);
        let _ = TreeAsset::from_script("t", &text);
    }
}

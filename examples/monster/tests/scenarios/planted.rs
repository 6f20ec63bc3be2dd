//! Faults that are planted in the trees, one at a time.

use serde_json::{Value, json};

/// A fault: what is changed of a node of a tree.
#[derive(Debug, Clone)]
pub(super) struct Fault {
    pub(super) tree: &'static str,
    pub(super) node: u64,
    pub(super) change: Change,
}

/// The change of a node.
#[derive(Debug, Clone)]
pub(super) enum Change {
    /// A value at a JSON pointer below the node's `extra`.
    Set(&'static str, Value),
    /// A key of `extra` is missing.
    Remove(&'static str),
    /// The item of a list in `extra` is missing.
    RemoveItem(&'static str, usize),
    Kind(&'static str),
    /// Two children change places.
    Swap(usize, usize),
    /// A child is missing.
    Without(usize),
}

use Change::{Kind, Remove, RemoveItem, Set, Swap, Without};

/// The faults that the scenarios were tried with.
pub(super) fn faults() -> Vec<Fault> {
    let fault = |tree, node, change| Fault { tree, node, change };
    let all = [
        ("patrol.json", 4, Set("/seconds", json!(2))),
        ("patrol.json", 5, Set("/action_args/1/arg_value", json!(50))),
        ("patrol.json", 2, Remove("guards")),
        ("patrol.json", 2, RemoveItem("guards", 1)),
        ("patrol.json", 2, Set("/guards/0/abort", json!("none"))),
        (
            "patrol.json",
            2,
            Set("/guards/0/condition_args/1/arg_value", json!("<")),
        ),
        ("patrol.json", 6, Set("/sub_tree_name", json!("flee.json"))),
        ("patrol.json", 8, Set("/seconds", json!(60))),
        (
            "patrol.json",
            7,
            Set("/guards/0/condition_args/0/arg_value", json!(0.2)),
        ),
        (
            "patrol.json",
            11,
            Set("/action_args/0/arg_value", json!("aggressive")),
        ),
        ("patrol.json", 12, Set("/count", json!(3))),
        ("patrol.json", 15, Set("/seconds", json!(30))),
        ("patrol.json", 18, Set("/action_args/0/arg_value", json!(1))),
        (
            "patrol.json",
            20,
            Set("/action_args/1/arg_value", json!(60)),
        ),
        ("patrol.json", 1, Set("/events/0/mode", json!("transfer"))),
        ("patrol.json", 1, RemoveItem("events", 1)),
        ("patrol.json", 1, Set("/services/0/seconds", json!(5))),
        ("patrol.json", 1, Swap(1, 2)),
        ("hunt.json", 2, Set("/seconds", json!(450))),
        ("hunt.json", 2, Remove("effects")),
        ("hunt.json", 4, Set("/guards/0/abort", json!("none"))),
        ("hunt.json", 4, Remove("args")),
        ("hunt.json", 5, Set("/guards/0/abort", json!("none"))),
        ("hunt.json", 5, Set("/guards/1/not", json!(false))),
        ("hunt.json", 6, Swap(0, 1)),
        ("hunt.json", 9, Set("/prob", json!([0, 1]))),
        ("hunt.json", 15, Set("/seconds", json!(60))),
        ("hunt.json", 16, Set("/action_args/1/arg_value", json!(12))),
        ("hunt.json", 18, Set("/action_args/0/arg_value", json!(0))),
        ("hunt.json", 1, Without(3)),
        ("flee.json", 2, Set("/guards/0/not", json!(true))),
        ("flee.json", 5, Set("/count", json!(30))),
        ("flee.json", 8, Set("/seconds", json!(60))),
        ("flee.json", 9, Set("/action_args/1/arg_value", json!(1))),
        ("flee.json", 10, Set("/seconds", json!(100))),
        ("flee.json", 3, Kind("negative")),
        ("auto_play.json", 4, Set("/guards/0/abort", json!("none"))),
        ("auto_play.json", 6, Set("/seconds", json!(3))),
        (
            "auto_play.json",
            8,
            Set("/action_args/0/arg_value", json!("Bob")),
        ),
        (
            "auto_play.json",
            11,
            Set("/action_args/0/arg_value", json!(1)),
        ),
        (
            "auto_play.json",
            15,
            Set("/action_args/0/arg_value", json!("enemy")),
        ),
        ("auto_play.json", 14, Set("/seconds", json!(150))),
        (
            "auto_play.json",
            17,
            Set("/action_args/0/arg_value", json!("monster")),
        ),
        (
            "auto_play.json",
            25,
            Set("/action_args/0/arg_value", json!("wave")),
        ),
        (
            "auto_play.json",
            39,
            Set("/action_args/1/arg_value", json!(1)),
        ),
        ("auto_play.json", 47, Remove("params")),
        ("account.json", 6, Set("/count", json!(3))),
        (
            "account.json",
            10,
            Set("/action_args/0/arg_value", json!(20)),
        ),
        ("account.json", 19, Set("/count", json!(1))),
        ("account.json", 18, Set("/seconds", json!(900))),
        ("account.json", 20, Swap(1, 2)),
        ("account.json", 24, Kind("negative")),
    ];
    all.map(|(tree, node, change)| fault(tree, node, change))
        .into()
}

/// The tree with the fault.
pub(super) fn planted(fault: &Fault, text: &str) -> String {
    let mut tree: Value = serde_json::from_str(text).unwrap();
    let nodes = tree["nodes"].as_array_mut().unwrap();
    let node = nodes.iter_mut().find(|node| node["idx"] == fault.node);
    let node = node.unwrap();
    match &fault.change {
        Set(at, value) => {
            let (above, key) = at.rsplit_once('/').unwrap();
            match node["extra"].pointer_mut(above).unwrap() {
                Value::Array(list) => list[key.parse::<usize>().unwrap()] = value.clone(),
                map => map[key] = value.clone(),
            }
        }
        Remove(key) => _ = node["extra"].as_object_mut().unwrap().remove(*key).unwrap(),
        RemoveItem(key, at) => _ = node["extra"][*key].as_array_mut().unwrap().remove(*at),
        Kind(kind) => node["type"] = (*kind).into(),
        Swap(a, b) => node["children"].as_array_mut().unwrap().swap(*a, *b),
        Without(at) => {
            let gone = node["children"].as_array_mut().unwrap().remove(*at);
            let mut gone = vec![gone];
            while let Some(idx) = gone.pop() {
                let below = nodes.iter().filter(|node| node["parent"] == idx);
                gone.extend(below.map(|node| node["idx"].clone()));
                nodes.retain(|node| node["idx"] != idx);
            }
        }
    }
    tree.to_string()
}

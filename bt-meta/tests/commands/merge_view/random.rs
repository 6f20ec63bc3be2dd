//! Random trees, changed at random in the original's editor.

use bt_core::TreeAsset;
use bt_meta::text::json::Json;
use bt_meta::view_trees::{copy, merge};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::editor::Editor;
use crate::view_trees::catalogue;

/// Numbers that decide everything, one after the other.
struct Dice<'d>(std::slice::Iter<'d, u32>);

impl Dice<'_> {
    fn roll(&mut self, sides: usize) -> usize {
        self.0
            .next()
            .map_or(0, |number| *number as usize % sides.max(1))
    }

    fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.roll(of.len())]
    }
}

fn argument(dice: &mut Dice<'_>, literal: Value) -> Value {
    match dice.roll(5) {
        0 => json!({"arg_type": "blackboard", "arg_value": "prey"}),
        1 => json!({"arg_type": "property", "arg_value": "target"}),
        2 => json!({"arg_type": "expression", "arg_value": "$prey"}),
        _ => json!({"arg_type": "plain", "arg_value": literal}),
    }
}

/// A call: arguments in their places, by name, or left out.
fn call(dice: &mut Dice<'_>) -> Value {
    let (name, params): (&str, &[(&str, Value)]) = match dice.roll(4) {
        0 => ("rest", &[]),
        1 => ("approach", &[("target", json!(7)), ("range", json!(2.5))]),
        2 => ("move_to", &[("goal", json!({"x": 1.5, "y": 2}))]),
        _ => ("patrol", &[("route", json!([])), ("rounds", json!(3))]),
    };
    let is_named = dice.roll(3) == 0;
    let mut args = Vec::new();
    for (param, literal) in params {
        if is_named && dice.roll(3) == 0 {
            continue;
        }
        let mut arg = argument(dice, literal.clone());
        if is_named {
            arg["arg_name"] = (*param).into();
        }
        args.push(arg);
    }
    if is_named && dice.roll(2) == 0 {
        args.reverse();
    }
    json!({"action_name": name, "action_args": args})
}

/// A tree file of kinds that the editor knows and of others, written like this or like that.
fn tree(dice: &mut Dice<'_>) -> String {
    let size = 2 + dice.roll(14);
    let step = 1 + dice.roll(3);
    let number = |at: usize| at * step;
    let mut parents = vec![0; size + 1];
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); size + 1];
    for (at, above) in parents.iter_mut().enumerate().skip(1) {
        let parent = if at == 1 { 0 } else { 1 + dice.roll(at - 1) };
        *above = parent;
        below[parent].push(at);
    }
    let mut nodes = vec![
        json!({"idx": 0, "type": "root", "children": [number(1)], "comment": "", "color": 4294967295_u32,
        "is_collapsed": false, "extra": {"agent_name": "monster_agent", "blackboard": {"prey": {"type": "uint64"}}}}),
    ];
    for at in 1..=size {
        let count = below[at].len();
        let (kind, mut extra) = kind(dice, count);
        if dice.roll(4) == 0 {
            extra["guards"] = json!([{"condition_name": "is_far_from_home", "condition_args": []}]);
        }
        let children: Vec<usize> = below[at].iter().map(|at| number(*at)).collect();
        let comment = if dice.roll(4) == 0 { "Why." } else { "" };
        nodes.push(json!({"idx": number(at), "type": kind, "parent": number(parents[at]), "children": children,
            "comment": comment, "color": 4294967295_u32, "is_collapsed": dice.roll(5) == 0, "extra": extra}));
    }
    let file = json!({"name": "t.json", "extra": {}, "tree_type": *dice.pick(&["", "hunt"]), "signature": "", "nodes": nodes});
    match dice.roll(2) {
        0 => format!("{file:#}\n"),
        _ => file.to_string(),
    }
}

fn kind(dice: &mut Dice<'_>, count: usize) -> (&'static str, Value) {
    if count == 0 {
        return match dice.roll(6) {
            0 => ("wait_event", json!({"event": "hit", "latch": true})),
            1 => (
                "sub_tree",
                json!({"sub_tree_name": "hunt", "args": {"prey": {"arg_type": "plain", "arg_value": 1}}}),
            ),
            2 => ("check", json!({"if": "$prey == 1"})),
            3 => (
                "condition",
                json!({"action_name": "is_near", "action_args": [{"arg_type": "plain", "arg_value": 1}]}),
            ),
            _ => ("action", call(dice)),
        };
    }
    let whole: Vec<usize> = (0..count).map(|at| at + 1).collect();
    let half: Vec<f64> = (0..count).map(|at| at as f64 + 0.5).collect();
    let cases: Vec<String> = (0..count).map(|at| at.to_string()).collect();
    match dice.roll(9) {
        0 => ("select", json!({})),
        1 => ("probility", json!({"prob": whole})),
        2 => ("probility", json!({"prob": half})),
        3 => ("switch", json!({"on": "$prey", "cases": cases})),
        4 => ("utility", json!({"scores": cases})),
        5 if count == 1 => ("timeout", json!({"seconds": 4.5})),
        6 => ("parallel", json!({"success": 1})),
        7 => ("reactive_select", json!({})),
        _ => ("sequence", json!({})),
    }
}

/// A part of the tree that can be changed there; the weights of a `probility` go with the number of its children.
fn change(dice: &mut Dice<'_>, editor: &mut Editor) {
    let below = editor.below();
    if below.is_empty() {
        return;
    }
    let idx = *dice.pick(&below);
    // The kind of a copy goes with the number of its children, so no node loses its last one or gets one too many.
    let is_last = |editor: &Editor| below.iter().any(|above| editor.children(*above) == [idx]);
    let holders: Vec<u64> = below
        .iter()
        .copied()
        .filter(|idx| !editor.children(*idx).is_empty() && editor.kind(*idx) != "always_true")
        .collect();
    let into = if holders.is_empty() {
        None
    } else {
        Some(*dice.pick(&holders))
    };
    match (dice.roll(8), into) {
        (0, Some(into)) => {
            let call = json!({"action_name": "attack", "action_args": [{"arg_type": "plain", "arg_value": 9}]});
            editor.insert(into, "action", call);
        }
        (1, _) if below.len() > 2 && !is_last(editor) => _ = editor.cut(idx),
        (2, _) => editor.up(idx),
        (3, Some(into)) => {
            let part = editor.copied(idx);
            editor.paste(into, &part);
        }
        (4, Some(into)) if !is_last(editor) => {
            let is_below = |mut at: u64| loop {
                if at == idx {
                    break true;
                }
                match below
                    .iter()
                    .find(|above| editor.children(**above).contains(&at))
                {
                    Some(above) => at = *above,
                    None => break false,
                }
            };
            if !is_below(into) {
                let part = editor.cut(idx);
                editor.paste(into, &part);
            }
        }
        (5, _) => editor.comment(idx).push_str("\nMine."),
        (6, _) => editor.paint(idx, 0x00ff_00ff),
        _ if editor.kind(idx) == "action" => {
            let args = editor.extra(idx)["action_args"].as_array_mut().unwrap();
            if !args.is_empty() {
                let at = dice.roll(args.len());
                args[at] =
                    json!({"arg_type": *dice.pick(&["plain", "blackboard"]), "arg_value": "other"});
            }
        }
        _ => {}
    }
    for idx in editor.below() {
        if editor.kind(idx) == "probility" {
            let count = editor.children(idx).len();
            let weights = editor.extra(idx)["prob"].as_array_mut().unwrap();
            weights.resize(count, json!(5));
        }
    }
}

/// The nodes from the root downwards: depth, kind and `extra`.
fn shape(tree: &TreeAsset) -> Vec<String> {
    tree.preorder()
        .map(|node| {
            let mut extra = Value::Object(node.extra.clone());
            // Of weights only the ratio counts.
            if let Some(weights) = extra.get("prob").and_then(Value::as_array) {
                let sum: f64 = weights.iter().filter_map(Value::as_f64).sum();
                let ratio = weights
                    .iter()
                    .filter_map(Value::as_f64)
                    .map(|weight| format!("{:.6}", weight / sum));
                extra = ratio.collect::<Vec<_>>().join(" ").into();
            }
            format!("{} {extra} {}", node.kind, node.children().len())
        })
        .collect()
}

/// The nodes with their numbers, for people.
fn kept(tree: &TreeAsset) -> Vec<String> {
    let nodes = tree.nodes().iter();
    nodes
        .map(|node| {
            format!(
                "{} {} {:?} {:?} {}",
                node.idx(),
                node.kind,
                node.children(),
                node.comment,
                Value::Object(node.extra.clone())
            )
        })
        .collect()
}

fn read(text: &str) -> TreeAsset {
    TreeAsset::from_json("t.json", text).unwrap()
}

fn view(tree: &TreeAsset) -> String {
    copy(&catalogue(), tree).unwrap()
}

/// The texts of the nodes of a file.
fn texts(text: &str) -> Vec<(u32, String)> {
    let json = Json::read(text).unwrap();
    let tree = read(text);
    let nodes = tree.nodes().iter().enumerate();
    nodes
        .map(|(at, node)| {
            (
                node.idx(),
                json.raw(json.find(0, &format!("/nodes/{at}")).unwrap())
                    .to_owned(),
            )
        })
        .collect()
}

fn is_stand_in(why: &str) -> bool {
    why.contains("stands for") || why.contains("looks like a copy of several")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn merge_of_a_copy_that_was_saved_unchanged_leaves_the_file(numbers in proptest::collection::vec(any::<u32>(), 120)) {
        let text = tree(&mut Dice(numbers.iter()));
        let now = read(&text);
        for saved in [view(&now), Editor::open(&view(&now)).save()] {
            let merged = merge(&catalogue(), &now, &text, None, &read(&saved)).unwrap();
            prop_assert_eq!(&merged.text, &text);
            prop_assert_eq!((merged.done.len(), merged.left.len()), (0, 0));
        }
    }

    #[test]
    fn merge_makes_the_tree_whose_copy_was_saved(
        numbers in proptest::collection::vec(any::<u32>(), 120),
        changes in proptest::collection::vec(any::<u32>(), 30),
    ) {
        let text = tree(&mut Dice(numbers.iter()));
        let now = read(&text);
        let mut editor = Editor::open(&view(&now));
        let mut dice = Dice(changes.iter());
        for _ in 0..=dice.roll(4) {
            change(&mut dice, &mut editor);
        }
        let edited = read(&editor.save());
        let merged = merge(&catalogue(), &now, &text, None, &edited).unwrap();
        let after = read(&merged.text);
        if !merged.left.is_empty() {
            prop_assert!(merged.left.iter().all(|why| is_stand_in(why)), "{:?}\n{:#?}\n{:#?}", merged.left, kept(&now), kept(&edited));
            return Ok(());
        }
        prop_assert_eq!(shape(&read(&view(&after))), shape(&edited));
        let (old, new) = (texts(&text), texts(&merged.text));
        for (idx, raw) in old {
            if now.node(idx) == after.node(idx) {
                let same = new.iter().find(|(other, _)| *other == idx).unwrap();
                prop_assert_eq!(&same.1, &raw);
            }
        }
    }
}

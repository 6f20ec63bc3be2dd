//! Copies of trees that the original's editor and debugger open.
//!
//! A copy has the tree's name and the same `idx`, so a debug log of the tree fits it. It has only kinds
//! that the original knows, and only what the original keeps of a node; what a node really is stands in its
//! comment. It is to be looked at, not edited.

use bt_core::TreeAsset;
use bt_core::kinds::call::{Argument, ArgumentType, Arguments, Call};
use bt_core::kinds::number::Number;
use bt_core::kinds::values::Weight;
use bt_core::kinds::{Caller, Group, Kind, Params, Path, Use};
use bt_core::tree::asset::AssetNode;
use serde_json::{Value, json};

use crate::catalogue::{Catalogue, MethodEntry, ValueEntry};
use crate::draw::node_lines;
use crate::error::Error;
use crate::layout::Agents;

/// The first words of a copy's root.
const MARK: &str = "A copy to look at, made by `bt-meta export --view-trees`: do not edit it.";

/// The keys of a node's `extra` that the original's editor keeps when it saves a node of a kind.
pub fn kept(kind: Kind) -> &'static [&'static str] {
    const KEPT: [(Kind, &[&str]); 5] = [
        (Kind::Root, &["agent_name"]),
        (Kind::Action, &["action_name", "action_args"]),
        (Kind::WaitEvent, &["event"]),
        (Kind::SubTree, &["sub_tree_name"]),
        (Kind::Probability, &["prob"]),
    ];
    let found = KEPT.iter().find(|(known, _)| *known == kind);
    found.map_or(&[], |(_, keys)| keys)
}

/// The copy of a tree, as the text of its file.
///
/// Conditions are actions. A decorator that the original does not know is an `always_true`, any other kind
/// a `sequence` or, without children, the action `nop`. Properties are keys, arguments stand in their order
/// with defaults filled in, and weights are whole numbers.
///
/// # Errors
/// A failure if the catalogue contradicts itself.
pub fn copy(catalogue: &Catalogue, tree: &TreeAsset) -> Result<String, Error> {
    let agents = Agents::new(catalogue)?;
    let agent = tree.agent().and_then(|name| agents.find(name).ok());
    let methods = agent.map(|agent| agents.callables(agent));
    let method = |name: &str| -> Option<&MethodEntry> {
        let methods = methods.as_ref()?;
        let by_alias = |name: &str| {
            let mut all = methods.values();
            all.find(|found| found.method.item.alias.iter().any(|alias| alias == name))
        };
        let found = methods.get(name).or_else(|| by_alias(name))?;
        Some(found.method)
    };
    let lines = node_lines(tree);
    let nodes = tree.nodes().iter().map(|node| {
        let lines = lines.get(&node.idx()).map_or(&[][..], Vec::as_slice);
        self::node(node, lines, &method)
    });
    let copy = json!({
        "name": tree.name(),
        "extra": {},
        "tree_type": tree.tree_type(),
        "signature": tree.signature(),
        "nodes": nodes.collect::<Vec<_>>(),
    });
    let text = serde_json::to_string_pretty(&copy);
    let text = text.map_err(|error| Error::failure(format!("cannot write as JSON: {error}")))?;
    Ok(text + "\n")
}

/// A node's copy. `lines`: what it is, for people.
fn node<'c>(
    node: &AssetNode,
    lines: &[String],
    method: &dyn Fn(&str) -> Option<&'c MethodEntry>,
) -> Value {
    let (kind, extra) = shape(node, method);
    let mut comment: Vec<&str> = Vec::new();
    if node.parent().is_none() {
        comment.push(MARK);
    }
    let is_renamed = kind.name() != node.kind;
    let own = Kind::named(&node.kind);
    let is_call = matches!(own, Some(Kind::Action | Kind::Condition | Kind::Root));
    let (first, more) = lines
        .split_first()
        .map_or(("", &[][..]), |(first, more)| (&**first, more));
    let heading = match first.strip_prefix(&*node.kind) {
        _ if is_call => format!("[{}]", node.kind),
        // The line begins with the kind mostly.
        Some(rest) => format!("[{}]{}", node.kind, rest.replacen(" ·", "", 1)),
        None => format!("[{}] {first}", node.kind),
    };
    // What a known kind is called is seen without a comment.
    if is_renamed {
        comment.push(&heading);
    }
    comment.extend(more.iter().map(String::as_str));
    if !node.comment.is_empty() {
        comment.push(&node.comment);
    }
    let mut copy = json!({
        "idx": node.idx(),
        "type": kind.name(),
        "children": node.children(),
        "comment": comment.join("\n"),
        "color": node.color,
        "is_collapsed": node.is_collapsed,
        "extra": extra,
    });
    if let Some(parent) = node.parent() {
        copy["parent"] = json!(parent);
    }
    copy
}

/// The kind of a node's copy, and its `extra`.
fn shape<'c>(node: &AssetNode, method: &dyn Fn(&str) -> Option<&'c MethodEntry>) -> (Kind, Value) {
    let said = node.typed();
    let mut called = None;
    said.uses(&Path::TOP, &mut |_, used| {
        if let Use::Call(Caller::Action | Caller::Condition, call) = used
            && called.is_none()
            && !call.name.is_empty()
        {
            called = Some(self::call(call, method));
        }
    });
    let nop = json!({"action_name": "nop", "action_args": []});
    let count = node.children().len();
    let fits = |[least, most]: [u32; 2]| {
        u32::try_from(count).is_ok_and(|count| (least..=most).contains(&count))
    };
    let about = said.params.as_ref().map(|params| params.kind().about());
    let is_known = about.is_some_and(|about| about.original.is_some_and(fits));
    match &said.params {
        Some(Params::Action(_) | Params::Condition(_)) => (Kind::Action, called.unwrap_or(nop)),
        Some(Params::Root(root)) => (Kind::Root, json!({"agent_name": root.agent_name.0})),
        Some(Params::WaitEvent(wait)) => (Kind::WaitEvent, json!({"event": wait.event.0})),
        Some(Params::SubTree(tree)) => {
            let name = tree.sub_tree_name.or(tree.name_key);
            let name = name.map_or("", |name| name.0);
            (Kind::SubTree, json!({"sub_tree_name": name}))
        }
        Some(Params::Probability(chances)) if is_known => {
            let weights = whole(&chances.prob.0, count);
            (Kind::Probability, json!({"prob": weights}))
        }
        Some(params) if is_known => (params.kind(), json!({})),
        _ if count == 0 => (Kind::Action, nop),
        Some(
            Params::Select(_)
            | Params::ReactiveSelect(_)
            | Params::Or(_)
            | Params::Switch(_)
            | Params::Utility(_),
        ) => (Kind::Select, json!({})),
        Some(Params::Composite(_)) => (Kind::AlwaysSeq, json!({})),
        _ if about.is_some_and(|about| about.group == Group::Decorator) && count == 1 => {
            (Kind::AlwaysTrue, json!({}))
        }
        _ => (Kind::Sequence, json!({})),
    }
}

/// Weights as whole numbers in about the same ratio, one for each child.
fn whole(weights: &[Number<'_, Weight>], count: usize) -> Vec<u64> {
    // One that is read while the tree runs is in no copy.
    let weights = weights
        .iter()
        .map(|weight| weight.literal().map_or(1.0, |Weight(weight)| *weight));
    let weights: Vec<f64> = weights.collect();
    if weights.len() != count {
        return vec![1; count];
    }
    let scale = match weights.iter().all(|weight| weight.fract() == 0.0) {
        true => 1.0,
        false => 1_000.0,
    };
    // What is too large for a number is the largest, and what is negative is none.
    let whole = weights.iter().map(|weight| (weight * scale).round() as u64);
    whole.collect()
}

/// The `extra` of a call.
fn call<'c>(call: &Call<'_>, method: &dyn Fn(&str) -> Option<&'c MethodEntry>) -> Value {
    let method = method(call.name);
    let given = match &call.args {
        Arguments::Listed(given) => given.as_slice(),
        Arguments::LeftOut | Arguments::Unreadable(_) => &[],
    };
    let args: Vec<Value> = match method {
        Some(method) => arranged(method, given),
        None => given.iter().map(argument).collect(),
    };
    let name = method.map_or(call.name, |method| &method.item.name);
    json!({"action_name": name, "action_args": args})
}

/// The arguments in the order of the signature, one for each parameter.
fn arranged(method: &MethodEntry, given: &[Argument<'_>]) -> Vec<Value> {
    let params = method.args.iter().enumerate();
    let each = params.map(|(at, param)| {
        let is_named = |name: &str| name == param.name || param.alias.iter().any(|old| old == name);
        let by_name = given
            .iter()
            .find(|given| given.name().is_some_and(is_named));
        let by_place = given.get(at).filter(|given| given.name().is_none());
        match by_name.or(by_place) {
            Some(given) => argument(given),
            None => Argument::write(ArgumentType::Plain, left_out(param), None),
        }
    });
    each.collect()
}

/// An argument as the original reads it: a property is a key, an object a list of pairs.
fn argument(given: &Argument<'_>) -> Value {
    match given.plain() {
        Some(value) => Argument::write(ArgumentType::Plain, paired(value), None),
        None => Argument::write(ArgumentType::Blackboard, given.value.0.clone(), None),
    }
}

fn paired(value: &Value) -> Value {
    match value {
        Value::Object(map) => map
            .iter()
            .map(|(key, value)| json!([key, paired(value)]))
            .collect(),
        Value::Array(items) => items.iter().map(paired).collect(),
        other => other.clone(),
    }
}

/// The stand-in for an argument that is not given.
fn left_out(param: &ValueEntry) -> Value {
    let plain = param.ty.type_name.as_str();
    match &param.ty.default {
        Some(default) => paired(default),
        None if plain.contains("int") => json!(0),
        None if plain.contains("float") || plain.contains("double") => json!(0.0),
        None if plain.contains("bool") => json!(false),
        None => json!(""),
    }
}

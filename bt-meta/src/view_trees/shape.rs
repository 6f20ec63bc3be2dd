//! The kind of a node's copy, and what the original's editor keeps of its `extra`.

use bt_core::kinds::call::{Argument, ArgumentType, Arguments, Call};
use bt_core::kinds::number::Number;
use bt_core::kinds::values::Weight;
use bt_core::kinds::{Caller, Group, Kind, Params, Path, Use};
use bt_core::tree::asset::AssetNode;
use serde_json::{Value, json};

use super::Methods;
use crate::catalogue::{MethodEntry, ValueEntry};

/// The kind of a node's copy, its `extra`, and the parameters of its call.
pub(super) fn shape(node: &AssetNode, method: &Methods<'_, '_>) -> (Kind, Value, Vec<Place>) {
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
    let (called, places) = called.unzip();
    let nop = json!({"action_name": "nop", "action_args": []});
    let count = node.children().len();
    let fits = |[least, most]: [u32; 2]| {
        u32::try_from(count).is_ok_and(|count| (least..=most).contains(&count))
    };
    let about = said.params.as_ref().map(|params| params.kind().about());
    let is_known = about.is_some_and(|about| about.original.is_some_and(fits));
    let (kind, extra) = match &said.params {
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
    };
    (kind, extra, places.unwrap_or_default())
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
    let scale = scale(&weights);
    // What is too large for a number is the largest, and what is negative is none.
    let whole = weights.iter().map(|weight| (weight * scale).round() as u64);
    whole.collect()
}

/// The factor that makes weights whole numbers.
pub(super) fn scale(weights: &[f64]) -> f64 {
    match weights.iter().all(|weight| weight.fract() == 0.0) {
        true => 1.0,
        false => 1_000.0,
    }
}

/// A parameter of a call, and the place of its argument in the tree; none where it is left out.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Place {
    pub(super) param: String,
    pub(super) given: Option<usize>,
}

/// The `extra` of a call, and where its arguments are in the tree.
fn call(call: &Call<'_>, method: &Methods<'_, '_>) -> (Value, Vec<Place>) {
    let method = method(call.name);
    let given = match &call.args {
        Arguments::Listed(given) => given.as_slice(),
        Arguments::LeftOut | Arguments::Unreadable(_) => &[],
    };
    let (args, places) = match method {
        Some(method) => arranged(method, given),
        None => (given.iter().map(argument).collect(), in_order(given)),
    };
    let name = method.map_or(call.name, |method| &method.item.name);
    (json!({"action_name": name, "action_args": args}), places)
}

/// The places of the arguments of a method that nobody knows.
fn in_order(given: &[Argument<'_>]) -> Vec<Place> {
    let place = |(at, given): (usize, &Argument<'_>)| Place {
        param: given.name().unwrap_or_default().to_owned(),
        given: Some(at),
    };
    given.iter().enumerate().map(place).collect()
}

/// The arguments in the order of the signature, one for each parameter.
fn arranged(method: &MethodEntry, given: &[Argument<'_>]) -> (Vec<Value>, Vec<Place>) {
    let params = method.args.iter().enumerate();
    let each = params.map(|(at, param)| {
        let is_named = |name: &str| name == param.name || param.alias.iter().any(|old| old == name);
        let is_it = |given: &Argument<'_>| given.name().is_some_and(is_named);
        let by_name = given.iter().position(is_it);
        let by_place = || given.get(at).is_some_and(|given| given.name().is_none());
        let place = by_name.or_else(|| by_place().then_some(at));
        let value = match place {
            Some(at) => argument(&given[at]),
            None => Argument::write(ArgumentType::Plain, left_out(param), None),
        };
        let param = param.name.clone();
        (
            value,
            Place {
                param,
                given: place,
            },
        )
    });
    each.unzip()
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

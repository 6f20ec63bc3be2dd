//! What a node calls, whether by its kind or by what is attached to it.

use bt_core::tree::asset::AssetNode;
use serde_json::{Map, Value};

/// A call, as a file says it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Call<'n> {
    /// The name of what is called.
    pub(super) name: &'n str,
    /// Its arguments; none if there is no list of them.
    pub(super) args: &'n [Value],
    /// Where the arguments are below the node.
    pub(super) below: Below<'n>,
}

/// A JSON pointer below a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Below<'n> {
    Own(&'static str),
    Listed(&'static str, usize, &'static str),
    Effect(&'n str, usize),
}

impl std::fmt::Display for Below<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Below::Own(key) => write!(f, "/extra/{key}"),
            Below::Listed(list, at, key) => write!(f, "/extra/{list}/{at}/{key}"),
            Below::Effect(when, at) => write!(f, "/extra/effects/{when}/{at}/action_args"),
        }
    }
}

const ACTION: (&str, &str) = ("action_name", "action_args");
const CONDITION: (&str, &str) = ("condition_name", "condition_args");
const DECORATOR: (&str, &str) = ("decorator_name", "decorator_args");

/// The calls of a node that have a list of arguments.
pub(super) fn of(node: &AssetNode) -> Vec<Call<'_>> {
    let extra = &node.extra;
    let mut calls = Vec::new();
    let own = match node.kind.as_str() {
        "action" | "condition" => Some(ACTION),
        "decorator" => Some(DECORATOR),
        _ => None,
    };
    if let Some(keys) = own {
        calls.extend(call(extra, keys, Below::Own(keys.1)));
    }
    for (list, keys) in [("guards", CONDITION), ("services", ACTION)] {
        for (at, object) in objects(extra.get(list)) {
            calls.extend(call(object, keys, Below::Listed(list, at, keys.1)));
        }
    }
    if let Some(object) = extra.get("reset_if").and_then(Value::as_object) {
        calls.extend(call(
            object,
            CONDITION,
            Below::Own("reset_if/condition_args"),
        ));
    }
    let effects = extra.get("effects").and_then(Value::as_object);
    for (when, list) in effects.into_iter().flatten() {
        for (at, object) in objects(Some(list)) {
            calls.extend(call(object, ACTION, Below::Effect(when, at)));
        }
    }
    calls
}

fn call<'n>(
    object: &'n Map<String, Value>,
    (name, args): (&str, &str),
    below: Below<'n>,
) -> Option<Call<'n>> {
    Some(Call {
        name: object.get(name)?.as_str()?,
        args: object.get(args)?.as_array()?,
        below,
    })
}

fn objects(list: Option<&Value>) -> impl Iterator<Item = (usize, &Map<String, Value>)> {
    let list = list.and_then(Value::as_array).into_iter().flatten();
    list.enumerate()
        .filter_map(|(at, item)| Some((at, item.as_object()?)))
}

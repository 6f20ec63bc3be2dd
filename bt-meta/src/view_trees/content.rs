//! The content of nodes of an edited copy, written into their tree.

use bt_core::kinds::{Kind, Params};
use bt_core::tree::asset::AssetNode;
use serde_json::{Value, json};

use super::ViewNode;
use super::shape::scale;
use crate::edit::Edit;

/// The edits of one node, or why there can be none.
pub(super) type Back = Result<Vec<Edit>, String>;

/// The edits that make a node say what its edited copy does. `view`: its copy as it is without them.
pub(super) fn back(node: &AssetNode, view: &ViewNode, edited: &Value) -> Back {
    if view.extra == *edited {
        return Ok(Vec::new());
    }
    let said = node.typed();
    let set = |at: &str, value: &Value| set(node, at, value);
    match said.params.as_ref() {
        Some(Params::Action(_) | Params::Condition(_)) => Ok(call(node, view, edited)),
        Some(Params::Root(_)) => Ok(vec![set("/extra/agent_name", &edited["agent_name"])]),
        Some(Params::WaitEvent(_)) => Ok(vec![set("/extra/event", &edited["event"])]),
        Some(Params::SubTree(tree)) if tree.name_key.is_none() => {
            Ok(vec![set("/extra/sub_tree_name", &edited["sub_tree_name"])])
        }
        Some(Params::SubTree(_)) => Err(
            "the name of its tree is the value of a key: change `name_key` in the tree".to_owned(),
        ),
        Some(Params::Probability(_)) if view.kind == Kind::Probability => {
            Ok(weights(node, view, edited))
        }
        _ => Err(format!(
            "`{}` stands for `{}`: change what it says in the tree",
            view.kind.name(),
            node.kind
        )),
    }
}

/// The edit that writes a value.
pub(super) fn set(node: &AssetNode, at: &str, value: &Value) -> Edit {
    Edit::Set {
        node: Some(node.idx()),
        at: at.to_owned(),
        value: value.to_string(),
    }
}

/// A call: another method with its arguments, or the arguments that changed.
fn call(node: &AssetNode, view: &ViewNode, edited: &Value) -> Vec<Edit> {
    let list = |call: &Value| call["action_args"].as_array().cloned().unwrap_or_default();
    let (was, now) = (list(&view.extra), list(edited));
    let args = "/extra/action_args";
    if view.extra["action_name"] != edited["action_name"] {
        let name = set(node, "/extra/action_name", &edited["action_name"]);
        return vec![name, set(node, args, &Value::Array(now))];
    }
    let given = node.extra.get("action_args").and_then(Value::as_array);
    let given = given.map_or(&[][..], Vec::as_slice);
    if was.len() != now.len() || view.places.len() != was.len() {
        return vec![set(node, args, &Value::Array(now))];
    }
    let mut edits = Vec::new();
    let mut count = given.len();
    let mut is_named = given.iter().any(|arg| arg.get("arg_name").is_some());
    for (at, (was, now)) in was.iter().zip(&now).enumerate() {
        let place = &view.places[at];
        match place
            .given
            .and_then(|place| Some((place, given.get(place)?)))
        {
            _ if was == now => {}
            Some((place, given)) => edits.extend(argument(node, place, given, was, now)),
            None => {
                let mut new = now.clone();
                // Where others before it are left out, or have names, its place does not say it.
                is_named |= at != count;
                if is_named {
                    new["arg_name"] = place.param.as_str().into();
                }
                count += 1;
                edits.push(set(node, &format!("{args}/-"), &new));
            }
        }
    }
    edits
}

/// An argument that changed. A key in the copy is a key, a property or an expression in the tree.
fn argument(node: &AssetNode, place: usize, given: &Value, was: &Value, now: &Value) -> Vec<Edit> {
    let at = |key: &str| format!("/extra/action_args/{place}/{key}");
    let mut edits = Vec::new();
    let is_other = was["arg_type"] != now["arg_type"] && given["arg_type"] != now["arg_type"];
    // A name in the place of an expression is that of a key.
    let is_name = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
    let names_key = given["arg_type"] == "expression"
        && was["arg_value"] != now["arg_value"]
        && now["arg_value"].as_str().is_some_and(is_name);
    if is_other || names_key {
        edits.push(set(node, &at("arg_type"), &now["arg_type"]));
    }
    if was["arg_value"] != now["arg_value"] {
        edits.push(set(node, &at("arg_value"), &now["arg_value"]));
    }
    edits
}

/// The weights that changed, in the measure of the tree.
fn weights(node: &AssetNode, view: &ViewNode, edited: &Value) -> Vec<Edit> {
    let list = |extra: &Value| extra["prob"].as_array().cloned().unwrap_or_default();
    let (was, now) = (list(&view.extra), list(edited));
    let own = node.extra.get("prob").and_then(Value::as_array);
    let own = own.map_or(&[][..], Vec::as_slice);
    let at = "/extra/prob";
    if was.len() != now.len() || own.len() != now.len() {
        return vec![set(node, at, &edited["prob"])];
    }
    let literal: Vec<f64> = own
        .iter()
        .map(|weight| weight.as_f64().unwrap_or(1.0))
        .collect();
    let scale = scale(&literal);
    let changed = was.iter().zip(&now).enumerate();
    let changed = changed.filter(|(_, (was, now))| was != now);
    let edits = changed.map(|(place, (_, now))| {
        let value = match now.as_f64() {
            Some(weight) if scale != 1.0 => json!(weight / scale),
            _ => now.clone(),
        };
        set(node, &format!("{at}/{place}"), &value)
    });
    edits.collect()
}

/// Returns true if two copies of a node say the same. Of weights only the ratio counts.
pub(super) fn says_same(one: &Value, other: &Value) -> bool {
    let list = |extra: &Value| -> Option<Vec<f64>> {
        let list = extra.get("prob")?.as_array()?;
        list.iter().map(Value::as_f64).collect()
    };
    match (list(one), list(other)) {
        (Some(one), Some(other)) => {
            let sum = |list: &[f64]| list.iter().sum::<f64>();
            let (of_one, of_other) = (sum(&one), sum(&other));
            let mut both = one.iter().zip(&other);
            one.len() == other.len()
                && both.all(|(a, b)| (a * of_other - b * of_one).abs() <= 1e-6 * of_one * of_other)
        }
        _ => one == other,
    }
}

//! What a node calls, whether by its kind or by what is attached to it.

use serde_json::{Map, Value};

use super::node::AssetNode;
use crate::kinds::step;

/// Who calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// The node itself: an `action`, a `condition` or a host's `decorator`.
    Node,
    /// A guard of the node.
    Guard,
    /// The condition with which a `run_limit` begins to count afresh.
    ResetIf,
    /// An effect of the node.
    Effect,
    /// A service of the node.
    Service,
}

/// A call, as a file says it: whether there is what it calls is not looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct Call<'n> {
    /// Who calls.
    pub caller: Caller,
    /// The object that says it: the node's `extra`, or what is attached.
    pub object: &'n Map<String, Value>,
    /// The JSON pointer of that object below the node, such as `/extra/guards/0`.
    pub pointer: String,
    keys: (&'static str, &'static str),
}

const ACTION: (&str, &str) = ("action_name", "action_args");
const CONDITION: (&str, &str) = ("condition_name", "condition_args");
const DECORATOR: (&str, &str) = ("decorator_name", "decorator_args");

impl<'n> Call<'n> {
    /// The name of what is called; none if it is not there, or no text.
    pub fn name(&self) -> Option<&'n str> {
        self.object.get(self.keys.0)?.as_str()
    }

    /// The JSON pointer of the name, below the node.
    pub fn name_pointer(&self) -> String {
        format!("{}/{}", self.pointer, self.keys.0)
    }

    /// The arguments; none if there is no list of them.
    pub fn args(&self) -> Option<&'n [Value]> {
        self.object.get(self.keys.1)?.as_array().map(Vec::as_slice)
    }

    /// The JSON pointer of the list of arguments, below the node.
    pub fn args_pointer(&self) -> String {
        format!("{}/{}", self.pointer, self.keys.1)
    }
}

impl AssetNode {
    /// Everything that the node calls.
    ///
    /// ```
    /// use bt_core::TreeAsset;
    /// use bt_core::tree::asset::spec::{action, guard};
    ///
    /// let flee = action("flee").guard(guard("is_near").arg(9));
    /// let tree = TreeAsset::build("t", "sheep", flee);
    /// let node = tree.node(tree.root().children()[0]).unwrap();
    /// let calls: Vec<_> = node.calls().iter().map(|call| call.name_pointer()).collect();
    /// assert_eq!(calls, ["/extra/action_name", "/extra/guards/0/condition_name"]);
    /// ```
    pub fn calls(&self) -> Vec<Call<'_>> {
        let extra = &self.extra;
        let mut calls = Vec::new();
        let mut add = |caller, keys, object, pointer| {
            calls.push(Call {
                caller,
                object,
                pointer,
                keys,
            });
        };
        match self.kind.as_str() {
            "action" | "condition" => add(Caller::Node, ACTION, extra, "/extra".to_owned()),
            "decorator" => add(Caller::Node, DECORATOR, extra, "/extra".to_owned()),
            "run_limit" => {
                if let Some(object) = extra.get("reset_if").and_then(Value::as_object) {
                    let pointer = "/extra/reset_if".to_owned();
                    add(Caller::ResetIf, CONDITION, object, pointer);
                }
            }
            _ => {}
        }
        for (list, caller, keys) in [
            ("guards", Caller::Guard, CONDITION),
            ("services", Caller::Service, ACTION),
        ] {
            for (at, object) in objects(extra.get(list)) {
                add(caller, keys, object, format!("/extra/{list}/{at}"));
            }
        }
        let effects = extra.get("effects").and_then(Value::as_object);
        for (when, list) in effects.into_iter().flatten() {
            for (at, object) in objects(Some(list)) {
                let pointer = format!("/extra/effects/{}/{at}", step(when));
                add(Caller::Effect, ACTION, object, pointer);
            }
        }
        calls
    }
}

/// The objects of a list, each with its place.
pub fn objects(list: Option<&Value>) -> impl Iterator<Item = (usize, &Map<String, Value>)> {
    let list = list.and_then(Value::as_array).into_iter().flatten();
    list.enumerate()
        .filter_map(|(at, item)| Some((at, item.as_object()?)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::TreeAsset;
    use crate::tree::asset::spec::{action, node};

    #[test]
    fn each_call_has_who_calls_and_where_it_stands() {
        let attached = json!({
            "guards": [7, {"condition_name": "g", "condition_args": [1]}],
            "services": [{"action_name": "s"}],
            "effects": {"a/b": [{"action_name": 5}], "exit": "none"},
        });
        let mut limit = node("run_limit").child(action("a"));
        for (key, value) in attached.as_object().unwrap() {
            limit = limit.extra(key, value.clone());
        }
        limit = limit.extra("reset_if", json!({"condition_name": "r"}));
        let tree = TreeAsset::build("t", "x", limit);
        let calls = tree.preorder().flat_map(AssetNode::calls);
        let calls: Vec<_> = calls
            .map(|call| (call.caller, call.name(), call.args_pointer(), call.args()))
            .collect();
        let one = [json!(1)];
        assert_eq!(
            calls,
            [
                (
                    Caller::ResetIf,
                    Some("r"),
                    "/extra/reset_if/condition_args".to_owned(),
                    None
                ),
                (
                    Caller::Guard,
                    Some("g"),
                    "/extra/guards/1/condition_args".to_owned(),
                    Some(&one[..])
                ),
                (
                    Caller::Service,
                    Some("s"),
                    "/extra/services/0/action_args".to_owned(),
                    None
                ),
                (
                    Caller::Effect,
                    None,
                    "/extra/effects/a~1b/0/action_args".to_owned(),
                    None
                ),
                (
                    Caller::Node,
                    Some("a"),
                    "/extra/action_args".to_owned(),
                    Some(&[][..])
                ),
            ]
        );
    }
}

//! What a node calls, whether by its kind or by what is attached to it.

use serde_json::{Map, Value};

use super::node::AssetNode;
use crate::kinds::{Caller, Path, Use, step};

/// A call, as a file says it: whether there is what it calls is not looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct Call<'n> {
    /// Who calls.
    pub caller: Caller,
    /// The object that says it: the node's `extra`, or what is attached.
    pub object: &'n Map<String, Value>,
    /// The JSON pointer of that object below the node, such as `/extra/guards/0`.
    pub pointer: String,
}

impl<'n> Call<'n> {
    /// The name of what is called; none if it is not there, or no text.
    pub fn name(&self) -> Option<&'n str> {
        self.object.get(self.caller.keys().0)?.as_str()
    }

    /// The JSON pointer of the name, below the node.
    pub fn name_pointer(&self) -> String {
        format!("{}/{}", self.pointer, self.caller.keys().0)
    }

    /// The arguments; none if there is no list of them.
    pub fn args(&self) -> Option<&'n [Value]> {
        self.object
            .get(self.caller.keys().1)?
            .as_array()
            .map(Vec::as_slice)
    }

    /// The JSON pointer of the list of arguments, below the node.
    pub fn args_pointer(&self) -> String {
        format!("{}/{}", self.pointer, self.caller.keys().1)
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
        let mut add = |caller, object, pointer| {
            calls.push(Call {
                caller,
                object,
                pointer,
            });
        };
        if let Some(said) = self.typed() {
            said.params
                .uses(&Path::TOP.own("extra"), &mut |path, used| {
                    let pointer = path.pointer();
                    if let (Use::Call(caller, _), Some(object)) = (used, object(extra, &pointer)) {
                        add(caller, object, pointer);
                    }
                });
        }
        for (list, caller) in [("guards", Caller::Guard), ("services", Caller::Service)] {
            for (at, object) in objects(extra.get(list)) {
                add(caller, object, format!("/extra/{list}/{at}"));
            }
        }
        let effects = extra.get("effects").and_then(Value::as_object);
        for (when, list) in effects.into_iter().flatten() {
            for (at, object) in objects(Some(list)) {
                let pointer = format!("/extra/effects/{}/{at}", step(when));
                add(Caller::Effect, object, pointer);
            }
        }
        calls
    }
}

/// The object that a pointer such as `/extra/reset_if` leads to.
fn object<'n>(extra: &'n Map<String, Value>, pointer: &str) -> Option<&'n Map<String, Value>> {
    match pointer.strip_prefix("/extra/") {
        Some(key) => extra.get(key)?.as_object(),
        None => Some(extra),
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
                    Caller::Action,
                    Some("a"),
                    "/extra/action_args".to_owned(),
                    Some(&[][..])
                ),
            ]
        );
    }
}

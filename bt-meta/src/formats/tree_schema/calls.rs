//! Calls of one agent: which names there are, and behind an `if` of each its arguments.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::super::members::Member;
use super::Defs;
use super::args::{Args, fewest};
use crate::catalogue::MethodEntry;
use crate::layout::Agents;

/// What a call's keys begin with: `action_name` and `action_args`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Keys {
    Action,
    Condition,
    Decorator,
}

impl Keys {
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Keys::Action => ("action_name", "action_args"),
            Keys::Condition => ("condition_name", "condition_args"),
            Keys::Decorator => ("decorator_name", "decorator_args"),
        }
    }

    /// What definitions of such calls are called.
    fn word(self) -> &'static str {
        match self {
            Keys::Action => "call",
            Keys::Condition => "ask",
            Keys::Decorator => "wrap",
        }
    }

    /// An object that calls one of `names`, its arguments as in `arguments`.
    pub(super) fn object(self, names: &Value, arguments: &Value) -> Value {
        let (name, _) = self.names();
        json!({"properties": {name: names}, "allOf": [arguments]})
    }
}

/// The calls that agents share: a definition for each method under each of the ways to name it.
#[derive(Debug, Default)]
pub(super) struct Calls<'a> {
    args: Args<'a>,
    known: BTreeMap<(&'a str, &'a str, Keys, Vec<&'a str>), Value>,
}

impl<'a> Calls<'a> {
    /// The arguments of every method that may be called by these keys.
    pub(super) fn arguments(
        &mut self,
        agents: &Agents<'a>,
        keys: Keys,
        methods: &[&Member<'a, MethodEntry>],
        argument: &Value,
        defs: &mut Defs,
    ) -> Value {
        let (_, list) = keys.names();
        let each = methods
            .iter()
            .map(|method| self.call(agents.key(method.from), keys, method, defs));
        let each: Vec<Value> = each.collect();
        let mut schema = json!({"properties": {list: {"items": argument}}});
        if !each.is_empty() {
            schema["allOf"] = json!(each);
        }
        schema
    }

    /// How to refer to: if this method is called, then with its arguments.
    fn call(
        &mut self,
        key: &str,
        keys: Keys,
        method: &Member<'a, MethodEntry>,
        defs: &mut Defs,
    ) -> Value {
        let entry = method.entry;
        let mut names = vec![entry.item.name.as_str()];
        names.extend(&method.aliases);
        let id = (
            method.from.full_name.as_str(),
            names[0],
            keys,
            names[1..].to_vec(),
        );
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        let (name, list) = keys.names();
        let mut then = json!({"properties": {list: self.args.of(method, key, defs)}});
        if fewest(entry) > 0 {
            then["required"] = json!([list]);
        }
        let call = json!({
            "if": {"properties": {name: {"enum": names}}, "required": [name]},
            "then": then,
        });
        let call = defs.add(&format!("{}.{key}.{}", keys.word(), entry.item.name), call);
        self.known.insert(id, call.clone());
        call
    }
}

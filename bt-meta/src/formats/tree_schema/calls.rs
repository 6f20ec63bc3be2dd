//! Calls of one agent: which names there are, and behind an `if` of each its arguments.

use std::collections::BTreeMap;

use bt_core::kinds::Caller;
use serde_json::{Value, json};

use super::super::members::Member;
use super::args::{Args, fewest};
use super::defs::Defs;
use crate::catalogue::MethodEntry;
use crate::layout::Agents;

/// The word for definitions of such calls.
fn word(caller: Caller) -> &'static str {
    match caller {
        Caller::Action | Caller::Condition | Caller::Effect | Caller::Service => "call",
        Caller::Guard | Caller::ResetIf => "ask",
        Caller::Decorator => "wrap",
        Caller::Composite => "hold",
    }
}

/// An object that calls one of `names`, its arguments as in `arguments`.
pub(super) fn object(caller: Caller, names: &Value, arguments: &Value) -> Value {
    let (name, _) = caller.keys();
    json!({"properties": {name: names}, "allOf": [arguments]})
}

/// The calls that agents share: a definition for each method under each of the ways to name it.
#[derive(Debug, Default)]
pub(super) struct Calls<'a> {
    args: Args<'a>,
    known: BTreeMap<(&'a str, &'a str, &'static str, Vec<&'a str>), Value>,
}

impl<'a> Calls<'a> {
    /// The arguments of every method that may be called by such a caller.
    pub(super) fn arguments(
        &mut self,
        agents: &Agents<'a>,
        caller: Caller,
        methods: &[&Member<'a, MethodEntry>],
        argument: &Value,
        defs: &mut Defs,
    ) -> Value {
        let (_, list) = caller.keys();
        let each = methods
            .iter()
            .map(|method| self.call(agents.key(method.from), caller, method, defs));
        let each: Vec<Value> = each.collect();
        let mut schema = json!({"properties": {list: {"items": argument}}});
        if !each.is_empty() {
            schema["allOf"] = json!(each);
        }
        schema
    }

    /// A reference to the rule: if this method is called, then with its arguments.
    fn call(
        &mut self,
        key: &str,
        caller: Caller,
        method: &Member<'a, MethodEntry>,
        defs: &mut Defs,
    ) -> Value {
        let entry = method.entry;
        let mut names = vec![entry.item.name.as_str()];
        names.extend(&method.aliases);
        let id = (
            method.from.full_name.as_str(),
            names[0],
            word(caller),
            names[1..].to_vec(),
        );
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        let (name, list) = caller.keys();
        let mut then = json!({"properties": {list: self.args.of(method, key, defs)}});
        if fewest(entry) > 0 {
            then["required"] = json!([list]);
        }
        let call = json!({
            "if": {"properties": {name: {"enum": names}}, "required": [name]},
            "then": then,
        });
        let call = defs.add(&format!("{}.{key}.{}", word(caller), entry.item.name), call);
        self.known.insert(id, call.clone());
        call
    }
}

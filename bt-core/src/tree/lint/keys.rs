//! Which blackboard keys a tree reads and sets.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::Look;
use crate::call::Source;
use crate::registry::catalogue::{InOut, MethodEntry};
use crate::tree::asset::AssetNode;
use crate::tree::check::{declared, source};

/// Where in a file something stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) node: u32,
    /// Below the node, such as `/extra/action_args/0/arg_value`.
    pub(super) below: String,
}

/// What a tree, or a part of it, does with keys: of each the first place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Keys {
    pub(super) read: BTreeMap<String, Spot>,
    pub(super) set: BTreeMap<String, Spot>,
    /// Declared somewhere: the host may read and set them.
    pub(super) declared: BTreeMap<String, Spot>,
    /// Some call reads a key whose name the tree does not say.
    pub(super) reads_any: bool,
    /// Some call sets a key whose name the tree does not say.
    pub(super) sets_any: bool,
}

/// What a built-in action does with the key that an argument names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Names {
    Read,
    Set,
    Both,
    /// Removes it: neither.
    Nothing,
    /// A template, with names in braces.
    Template,
}

/// Whether bt-core itself defines it.
pub(super) fn is_built_in(method: &MethodEntry) -> bool {
    method.item.package == env!("CARGO_PKG_NAME")
}

/// Whether an argument names a key.
pub(super) fn names_a_key(method: &MethodEntry, argument: &str) -> bool {
    is_built_in(method) && names(&method.item.name, argument).is_some()
}

/// What the argument of a built-in action names, if it names a key.
fn names(method: &str, argument: &str) -> Option<Names> {
    Some(match (method, argument) {
        (_, "dest_bb_key" | "sz_bb_key") => Names::Set,
        ("set_key_value" | "array_clear", _) if argument.ends_with("bb_key") => Names::Set,
        ("remove_key" | "remove_keys", _) => Names::Nothing,
        ("string_format", "template") => Names::Template,
        ("array_pop" | "array_remove" | "array_shuffle" | "array_push", "array_bb_key") => {
            Names::Both
        }
        ("choose_one_random" | "choose_random", "array_bb_key") => Names::Both,
        ("string_append", "bb_key") => Names::Both,
        (_, "bb_key") if changes(method) => Names::Both,
        (_, "bb_key" | "array_bb_key" | "source_bb_key" | "string_bb_key") => Names::Read,
        _ => return None,
    })
}

fn changes(method: &str) -> bool {
    method.starts_with("number_") && !matches!(method, "number_larger_than" | "number_less_than")
}

impl Keys {
    /// Adds what a node by itself does.
    pub(super) fn node(&mut self, look: &Look<'_, '_>, node: &AssetNode) {
        let extra = &node.extra;
        for key in declared(node) {
            let below = format!("/extra/blackboard/{}", escaped(key.key));
            self.declared
                .entry(key.key.to_owned())
                .or_insert(Spot::of(node, below));
        }
        let called = match node.kind.as_str() {
            "action" | "condition" => Some(("action_name", "action_args")),
            "decorator" => Some(("decorator_name", "decorator_args")),
            _ => None,
        };
        if let Some((name, args)) = called {
            self.call(look, node, extra, name, args, "/extra");
        }
        let condition = ("condition_name", "condition_args");
        let action = ("action_name", "action_args");
        for (list, (name, args)) in [("guards", condition), ("services", action)] {
            for (at, call) in objects(extra.get(list)) {
                self.call(look, node, call, name, args, &format!("/extra/{list}/{at}"));
            }
        }
        if let Some(Value::Object(reset_if)) = extra.get("reset_if") {
            self.call(
                look,
                node,
                reset_if,
                condition.0,
                condition.1,
                "/extra/reset_if",
            );
        }
        let effects = extra.get("effects").and_then(Value::as_object);
        for (when, calls) in effects.into_iter().flatten() {
            for (at, call) in objects(Some(calls)) {
                let below = format!("/extra/effects/{when}/{at}");
                self.call(look, node, call, action.0, action.1, &below);
            }
        }
        self.params(node, extra.get("params"), "/extra/params");
        for (at, event) in objects(extra.get("events")) {
            self.params(
                node,
                event.get("params"),
                &format!("/extra/events/{at}/params"),
            );
        }
        if let Some(key) = extra.get("name_key").and_then(Value::as_str) {
            self.read(key, Spot::of(node, "/extra/name_key".to_owned()));
        }
        let handed = extra.get("args").and_then(Value::as_object);
        for (key, value) in handed.into_iter().flatten() {
            let below = format!("/extra/args/{}", escaped(key));
            if let Some(Source::Key(from)) = source(value) {
                self.read(&from, Spot::of(node, format!("{below}/arg_value")));
            }
            self.set(key, Spot::of(node, below));
        }
    }

    /// The keys that take an event's parameters.
    fn params(&mut self, node: &AssetNode, params: Option<&Value>, below: &str) {
        let params = params.and_then(Value::as_object).into_iter().flatten();
        for (param, key) in params {
            if let Some(key) = key.as_str() {
                self.set(key, Spot::of(node, format!("{below}/{}", escaped(param))));
            }
        }
    }

    fn call(
        &mut self,
        look: &Look<'_, '_>,
        node: &AssetNode,
        call: &Map<String, Value>,
        name: &str,
        args: &str,
        below: &str,
    ) {
        let method = call.get(name).and_then(Value::as_str);
        let method = method.and_then(|name| look.method(name));
        for (at, item) in objects(call.get(args)) {
            let Some(source) = source(&Value::Object(item.clone())) else {
                continue;
            };
            let argument = method.and_then(|method| match item.get("arg_name") {
                Some(name) => method.args.iter().find(|arg| *name == arg.name.as_str()),
                None => method.args.get(at),
            });
            let spot = || Spot::of(node, format!("{below}/{args}/{at}/arg_value"));
            if let Source::Key(key) = &source {
                let in_out = argument.map(|arg| arg.ty.in_out);
                if in_out != Some(Some(InOut::Out)) {
                    self.read(key, spot());
                }
                // What a fallback does with it nobody knows.
                if in_out != Some(None) {
                    self.set(key, spot());
                }
            }
            if let (Some(method), Some(argument)) = (method, argument)
                && is_built_in(method)
                && let Some(names) = names(&method.item.name, &argument.name)
            {
                self.named(names, &source, &spot());
            }
        }
    }

    /// A built-in action's argument names a key.
    fn named(&mut self, names: Names, source: &Source, spot: &Spot) {
        let key = match source {
            Source::Literal(Value::String(key)) => Some(key),
            _ => None,
        };
        if names == Names::Template {
            self.reads_any |= key.is_none();
            for part in key.into_iter().flat_map(|text| text.split('{').skip(1)) {
                self.read(part.split('}').next().unwrap_or_default(), spot.clone());
            }
        }
        if matches!(names, Names::Read | Names::Both) {
            match key {
                Some(key) => self.read(key, spot.clone()),
                None => self.reads_any = true,
            }
        }
        if matches!(names, Names::Set | Names::Both) {
            match key {
                Some(key) => self.set(key, spot.clone()),
                None => self.sets_any = true,
            }
        }
    }

    fn read(&mut self, key: &str, spot: Spot) {
        self.read.entry(key.to_owned()).or_insert(spot);
    }

    fn set(&mut self, key: &str, spot: Spot) {
        self.set.entry(key.to_owned()).or_insert(spot);
    }
}

impl Spot {
    fn of(node: &AssetNode, below: String) -> Spot {
        Spot {
            node: node.idx(),
            below,
        }
    }
}

/// A key as a step of a JSON pointer.
fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// The objects of a list, each with its place.
pub(super) fn objects(list: Option<&Value>) -> impl Iterator<Item = (usize, &Map<String, Value>)> {
    let list = list.and_then(Value::as_array).into_iter().flatten();
    list.enumerate()
        .filter_map(|(at, item)| Some((at, item.as_object()?)))
}

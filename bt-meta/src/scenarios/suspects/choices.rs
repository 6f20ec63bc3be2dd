//! The values that a node can have in place of its own, those that failures speak of first.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use bt_core::kinds::{Caller, Kind, Use, node_defs, node_kinds};
use bt_core::registry::AgentInfo;
use bt_core::registry::catalogue::{MethodEntry, MethodKind};
use bt_core::registry::schema::{all_of, branches, fields, fixed, items, target};
use bt_core::tree::asset::{AssetNode, step};
use bt_core::{Registry, TreeAsset};
use serde_json::{Map, Value, json};

use super::clues::Clues;
use crate::edit::Edit;
use crate::mentions::argument_of;

/// So many values are offered for a place, and so many places of a node are listed.
const VALUES: usize = 24;
const PLACES: usize = 60;

/// So many names are listed.
const NAMES: usize = 30;

/// The schemas of the kinds, by their names, and what they refer to.
static SCHEMAS: LazyLock<BTreeMap<String, Value>> = LazyLock::new(|| {
    let kinds = node_kinds().into_iter();
    kinds.map(|kind| (kind.name, kind.params)).collect()
});
static DEFS: LazyLock<BTreeMap<String, Value>> = LazyLock::new(node_defs);

/// The facts that choices are made of.
struct Maker<'m> {
    agent: Option<AgentInfo<'m>>,
    trees: &'m [TreeAsset],
    tree: &'m TreeAsset,
    node: &'m AssetNode,
    clues: &'m Clues,
    all: Vec<Value>,
}

pub(super) fn choices(
    registry: &Registry,
    trees: &[TreeAsset],
    tree: &TreeAsset,
    node: &AssetNode,
    clues: &Clues,
) -> Vec<Value> {
    let agent = tree.agent().and_then(|name| registry.agent(name).ok());
    let mut maker = Maker {
        agent,
        trees,
        tree,
        node,
        clues,
        all: Vec::new(),
    };
    maker.calls();
    maker.values();
    maker.absent();
    maker.structure();
    maker.all.truncate(PLACES);
    maker.all
}

impl Maker<'_> {
    /// A place whose value can be another one.
    fn place(&mut self, at: &str, now: &Value, tries: Vec<Value>) {
        let mut fresh: Vec<Value> = Vec::new();
        for value in tries {
            if value != *now && !fresh.contains(&value) && fresh.len() < VALUES {
                fresh.push(value);
            }
        }
        let mut one = json!({"at": at, "now": now, "try": fresh});
        if now.is_null() {
            one.as_object_mut().map(|one| one.remove("now"));
        }
        self.all.push(one);
    }

    fn edits(&mut self, what: String, edits: &[Edit]) {
        self.all.push(json!({"what": what, "edits": edits}));
    }

    /// The arguments of calls, and what is called.
    fn calls(&mut self) {
        let mut found: Vec<(String, Caller, String, Option<&MethodEntry>)> = Vec::new();
        self.node.uses(&mut |path, used| {
            if let Some((caller, call)) = used.call() {
                let method = self.agent.and_then(|agent| agent.action(call.name).ok());
                let method = method.map(|found| found.entry);
                found.push((path.pointer(), caller, call.name.to_owned(), method));
            }
        });
        for (at, caller, name, method) in found {
            let (name_key, args_key) = caller.keys();
            let args = self.value(&format!("{at}/{args_key}"));
            for (number, item) in args.as_array().into_iter().flatten().enumerate() {
                let now = &item["arg_value"];
                let place = format!("{at}/{args_key}/{number}/arg_value");
                let tries = match item["arg_type"].as_str() {
                    Some("plain") => self.arguments(&name, method, number, item),
                    Some("blackboard") => self.keys(),
                    _ => Vec::new(),
                };
                self.place(&place, now, tries);
            }
            let others = self.others(method);
            self.place(&format!("{at}/{name_key}"), &name.as_str().into(), others);
        }
    }

    /// A value of the node.
    fn value(&self, pointer: &str) -> Value {
        let inside = pointer.strip_prefix("/extra/").unwrap_or_default();
        let (key, rest) = inside.split_at(inside.find('/').unwrap_or(inside.len()));
        let found = self
            .node
            .extra
            .get(key)
            .and_then(|value| value.pointer(rest));
        found.cloned().unwrap_or_default()
    }

    /// Values for an argument that is written out.
    fn arguments(
        &self,
        name: &str,
        method: Option<&MethodEntry>,
        number: usize,
        item: &Value,
    ) -> Vec<Value> {
        let mut tries = Vec::new();
        let now = &item["arg_value"];
        let named = item["arg_name"].as_str();
        let entry = method.and_then(|method| match named {
            Some(named) => method.args.iter().find(|arg| arg.name == named),
            None => method.args.get(number),
        });
        if let Some(entry) = entry {
            let expected = self.clues.calls(name).iter();
            tries.extend(expected.filter_map(|call| call.get(&entry.name).cloned()));
            tries.extend(entry.ty.choices.iter().flatten().cloned());
        }
        tries.extend(self.elsewhere(name, method, number));
        tries.extend(self.like(now));
        if let Some(text) = now.as_str()
            && ["<", "<=", ">", ">=", "==", "!="].contains(&text)
        {
            tries.extend(["<", "<=", ">", ">=", "==", "!="].map(Value::from));
        }
        if now.is_string() {
            tries.extend(self.keys());
        }
        tries
    }

    /// The values that other nodes give for an argument of a method.
    fn elsewhere(&self, name: &str, method: Option<&MethodEntry>, number: usize) -> Vec<Value> {
        let mut found = Vec::new();
        for node in self.trees.iter().flat_map(TreeAsset::nodes) {
            node.uses(&mut |_, used| {
                let Some((_, call)) = used.call().filter(|(_, call)| call.name == name) else {
                    return;
                };
                let all = call.args.all().unwrap_or_default().iter().enumerate();
                let same = all.filter(|(at, item)| {
                    let place = method.map_or(Some(*at), |method| argument_of(method, *at, item));
                    place == Some(number)
                });
                found.extend(same.filter_map(|(_, item)| item.plain().cloned()));
            });
        }
        found
    }

    /// Values like one: other numbers, the other truth, numbers of a list in another order.
    fn like(&self, now: &Value) -> Vec<Value> {
        let number = |number: f64, whole: bool| match whole && number.fract() == 0.0 {
            true => json!(number as i64),
            false => json!(number),
        };
        match now {
            Value::Bool(is) => vec![(!is).into()],
            Value::Number(own) => {
                let whole = own.is_i64() || own.is_u64();
                let all = self.clues.instead_of(own.as_f64().unwrap_or_default());
                // A number without a fraction may take others, too, if its place does.
                let all = all.into_iter().map(|other| number(other, true));
                all.filter(|other| !whole || other.is_i64() || other.is_f64())
                    .collect()
            }
            Value::Array(list) if list.iter().all(Value::is_number) && list.len() > 1 => {
                let mut turned = list.clone();
                turned.reverse();
                let even = vec![json!(1); list.len()];
                let mut all: Vec<Value> = vec![turned.into(), even.into()];
                for other in 2..6 {
                    for at in 0..list.len() {
                        let mut list = vec![json!(1); list.len()];
                        list[at] = json!(other);
                        all.push(list.into());
                    }
                }
                all
            }
            Value::Null | Value::String(_) | Value::Array(_) | Value::Object(_) => Vec::new(),
        }
    }

    /// The keys that the tree declares.
    fn keys(&self) -> Vec<Value> {
        let nodes = self.tree.nodes().iter();
        let declared = nodes.flat_map(|node| {
            let typed = node.typed();
            let keys = typed.declared().0.iter().map(|(key, _)| (*key).to_owned());
            keys.collect::<Vec<_>>()
        });
        declared.map(Value::from).collect()
    }

    /// Methods that take the same arguments, those that are expected first.
    fn others(&self, method: Option<&MethodEntry>) -> Vec<Value> {
        let (Some(agent), Some(method)) = (self.agent, method) else {
            return Vec::new();
        };
        let types = |entry: &MethodEntry| -> Vec<String> {
            entry
                .args
                .iter()
                .map(|arg| arg.ty.type_name.clone())
                .collect()
        };
        let all = agent.actions().into_iter().map(|found| found.entry);
        let same = all.filter(|other| other.kind == method.kind && types(other) == types(method));
        let mut names: Vec<&str> = same.map(|other| other.item.name.as_str()).collect();
        names.sort_by_key(|name| self.clues.calls(name).is_empty());
        names.into_iter().map(Value::from).collect()
    }

    /// The values of the node's keys, but for calls.
    fn values(&mut self) {
        let schema = SCHEMAS.get(&self.node.kind).cloned().unwrap_or_default();
        let mut places = Vec::new();
        for (key, value) in &self.node.extra {
            leaves(value, vec![key.clone()], &mut places);
        }
        for (steps, value) in places {
            let last = steps.last().map(String::as_str).unwrap_or_default();
            let is_of_call = last.ends_with("_name") && last != "sub_tree_name"
                || last.starts_with("arg_")
                || steps[0] == "blackboard";
            if is_of_call {
                continue;
            }
            let mut tries: Vec<Value> = self.schema_values(&schema, &steps);
            if ["sub_tree_name", "tree"].contains(&last) {
                let names = self
                    .trees
                    .iter()
                    .filter(|tree| tree.agent() == self.tree.agent());
                tries.extend(names.map(|tree| Value::from(tree.name())));
            }
            tries.extend(self.like(&value));
            let steps: Vec<String> = steps.iter().map(|part| step(part)).collect();
            self.place(&format!("/extra/{}", steps.join("/")), &value, tries);
        }
    }

    /// The words that a key takes.
    fn schema_values(&self, schema: &Value, steps: &[String]) -> Vec<Value> {
        let mut at = vec![schema];
        for part in steps {
            let mut next = Vec::new();
            for schema in at {
                for schema in forms(schema) {
                    next.extend(fields(schema).and_then(|all| all.get(part)));
                    next.extend(items(schema).filter(|_| part.parse::<usize>().is_ok()));
                }
            }
            at = next;
        }
        let mut found = Vec::new();
        for schema in at.into_iter().flat_map(|schema| forms(schema)) {
            found.extend(fixed(schema).into_iter().flatten().cloned());
        }
        found
    }

    /// Adds parts that the node could have, and does not.
    fn absent(&mut self) {
        for number in 0..self.node.typed().attachments.guards.len() {
            let at = format!("/extra/guards/{number}");
            let now = self.value(&at);
            for (key, values) in [("abort", &["self", "lower", "both"][..])] {
                if now.get(key).is_none() {
                    let values = values.iter().copied().map(Value::from).collect();
                    self.place(&format!("{at}/{key}"), &Value::Null, values);
                }
            }
            if self.value(&format!("{at}/not")).is_null() {
                self.place(&format!("{at}/not"), &Value::Null, vec![true.into()]);
            }
            let remove = Edit::Unset {
                node: Some(self.node.idx()),
                at,
            };
            self.edits(format!("without guard {number}"), &[remove]);
        }
        self.handed();
        for list in ["guards", "events"] {
            let mut others = self.same_key(list).into_iter().flat_map(|list| match list {
                Value::Array(items) => items,
                _ => Vec::new(),
            });
            let own = self.value(&format!("/extra/{list}"));
            let own: Vec<Value> = own.as_array().cloned().unwrap_or_default();
            let mut tries: Vec<Value> =
                others.by_ref().filter(|item| !own.contains(item)).collect();
            if list == "guards" {
                tries.extend(self.guards());
            }
            self.place(&format!("/extra/{list}/-"), &Value::Null, tries);
        }
        if self.value("/extra/effects").is_null() {
            let mut tries = self.same_key("effects");
            for (method, call) in self.clues.all_calls().filter(|(_, call)| call.is_empty()) {
                debug_assert!(call.is_empty());
                for when in ["exit", "enter", "success", "failure", "aborted"] {
                    let effect = json!({"action_name": method, "action_args": []});
                    tries.push(json!({ when: [effect] }));
                }
            }
            self.place("/extra/effects", &Value::Null, tries);
        }
        if self.value("/extra/services").is_null() {
            let tries = self.same_key("services");
            self.place("/extra/services", &Value::Null, tries);
        }
    }

    /// Guards of conditions without arguments, or with a key.
    fn guards(&self) -> Vec<Value> {
        let Some(agent) = self.agent else {
            return Vec::new();
        };
        let conditions = agent.actions().into_iter().map(|found| found.entry);
        let conditions = conditions.filter(|entry| entry.kind == MethodKind::Condition);
        let plain = conditions.filter(|entry| entry.args.is_empty());
        let guard =
            |entry: &MethodEntry| json!({"condition_name": entry.item.name, "condition_args": []});
        plain.map(guard).take(NAMES).collect()
    }

    /// Adds values that could be handed over to a tree or taken from an event, where none is.
    fn handed(&mut self) {
        let mut missing: Vec<(&str, Vec<Value>)> = Vec::new();
        let keys = self.keys();
        self.node.uses(&mut |_, used| {
            if let Use::Tree(call) = used
                && call.args.0.is_empty()
                && let Some(name) = call.named()
            {
                let called = self.trees.iter().find(|tree| tree.name() == name);
                let typed = called.map(|called| called.root().typed());
                let declared = typed.iter().flat_map(|typed| typed.declared().0.iter());
                let tries = declared.flat_map(|(key, _)| {
                    keys.iter()
                        .map(move |own| json!({*key: {"arg_type": "blackboard", "arg_value": own}}))
                });
                missing.push(("/extra/args", tries.collect()));
            }
            if let Use::Event(event, params) = used
                && params.0.is_empty()
            {
                let event = self.agent.and_then(|agent| agent.event(event.0).ok());
                let params = event.iter().flat_map(|event| &event.params);
                let tries = params.flat_map(|param| {
                    keys.iter()
                        .map(move |own| json!({param.name.as_str(): own}))
                });
                missing.push(("/extra/params", tries.collect()));
            }
        });
        for (at, tries) in missing {
            self.place(at, &Value::Null, tries);
        }
    }

    /// The values that other nodes have under a key of `extra`.
    fn same_key(&self, key: &str) -> Vec<Value> {
        let trees = self
            .trees
            .iter()
            .filter(|tree| tree.agent() == self.tree.agent());
        let nodes = trees.flat_map(TreeAsset::nodes);
        let mut found: Vec<Value> = nodes
            .filter_map(|node| node.extra.get(key).cloned())
            .collect();
        found.dedup();
        found.truncate(VALUES);
        found
    }

    /// Other kinds, another order, and nodes that may be missing.
    fn structure(&mut self) {
        let node = self.node;
        let idx = node.idx();
        if node.parent().is_none() {
            return;
        }
        let children = u32::try_from(node.children().len()).unwrap_or(u32::MAX);
        if let Some(own) = Kind::named(&node.kind).filter(|_| children > 0) {
            let same = Kind::ALL.iter().filter(|kind| {
                let about = kind.about();
                let fits = about.children.least <= children
                    && about.children.most.is_none_or(|most| children <= most);
                **kind != own && about.group == own.about().group && fits
            });
            for kind in same.take(NAMES) {
                let edit = Edit::Kind {
                    node: idx,
                    kind: kind.name().to_owned(),
                    name: None,
                };
                self.edits(format!("as `{}`", kind.name()), &[edit]);
            }
        }
        for (at, child) in node.children().iter().enumerate().skip(1) {
            let before = node.children()[at - 1];
            let edit = Edit::Move {
                nodes: vec![*child],
                parent: idx,
                at: u32::try_from(at - 1).ok(),
            };
            self.edits(format!("node {child} before node {before}"), &[edit]);
        }
        if children > 0 {
            self.missing(idx, children);
        }
    }

    /// The methods that the tree calls.
    fn used(&self) -> BTreeSet<String> {
        let mut used = BTreeSet::new();
        for node in self.tree.nodes() {
            node.uses(&mut |_, named| {
                used.extend(named.call().map(|(_, call)| call.name.to_owned()));
            });
        }
        used
    }

    /// Calls that were expected, and trees that failures name, as new children.
    fn missing(&mut self, parent: u32, children: u32) {
        let most = Kind::named(&self.node.kind).and_then(|kind| kind.about().children.most);
        if most.is_some_and(|most| children >= most) {
            return;
        }
        let mut new: Vec<(String, String, Map<String, Value>)> = Vec::new();
        let actions = self.agent.into_iter().flat_map(|agent| agent.actions());
        for entry in actions.map(|found| found.entry) {
            let name = &entry.item.name;
            for call in self.clues.calls(name).iter().take(1) {
                let args = call.iter().map(|(name, value)| {
                    json!({"arg_name": name, "arg_type": "plain", "arg_value": value})
                });
                let mut extra = Map::new();
                extra.insert("action_name".to_owned(), name.as_str().into());
                extra.insert("action_args".to_owned(), args.collect());
                new.push((format!("`{name}`"), Kind::Action.name().to_owned(), extra));
            }
        }
        for name in self.clues.trees() {
            if name != self.tree.name() && self.trees.iter().any(|tree| tree.name() == name) {
                for mode in ["transfer", "call"] {
                    let mut extra = Map::new();
                    extra.insert("sub_tree_name".to_owned(), name.into());
                    extra.insert("mode".to_owned(), mode.into());
                    new.push((
                        format!("a {mode} of `{name}`"),
                        Kind::SubTree.name().to_owned(),
                        extra,
                    ));
                }
            }
        }
        let names = self.agent.into_iter().flat_map(|agent| agent.actions());
        let mut names: Vec<&str> = names.map(|found| found.entry.item.name.as_str()).collect();
        let used: BTreeSet<String> = self.used();
        names.sort_by_key(|name| (self.clues.calls(name).is_empty(), used.contains(*name)));
        names.truncate(NAMES);
        let what = format!("a new node as child 0 to {children}");
        self.all.push(json!({"what": what, "names": names}));
        for (what, kind, extra) in new {
            for at in (0..=children).rev().take(6) {
                let edit = Edit::Insert {
                    parent,
                    at: Some(at),
                    kind: kind.clone(),
                    name: None,
                    extra: Some(extra.clone()),
                };
                self.edits(format!("{what} as child {at}"), &[edit]);
            }
        }
    }
}

/// A schema and all that it stands for.
fn forms(schema: &Value) -> Vec<&Value> {
    let mut all = vec![schema];
    let mut at = 0;
    while at < all.len() && all.len() < 100 {
        let schema = all[at];
        all.extend(target(&DEFS, schema));
        all.extend(all_of(schema).into_iter().flatten());
        all.extend(branches(schema).into_iter().flatten());
        at += 1;
    }
    all
}

/// The values without values inside, and lists of numbers.
fn leaves(value: &Value, steps: Vec<String>, found: &mut Vec<(Vec<String>, Value)>) {
    let below = |part: String| {
        let mut steps = steps.clone();
        steps.push(part);
        steps
    };
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                leaves(value, below(key.clone()), found);
            }
        }
        Value::Array(list) if list.is_empty() || !list.iter().all(Value::is_number) => {
            for (at, value) in list.iter().enumerate() {
                leaves(value, below(at.to_string()), found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            found.push((steps, value.clone()));
        }
    }
}

//! The names that agents of a running game answer to: their methods, properties and events, and the keys that trees
//! name. Whoever asks for another one is told so, with the nearest name.

use std::collections::BTreeMap;

use bt_core::TreeAsset;
use bt_core::expression::keys;
use bt_core::kinds::call::{Argument, Call};
use bt_core::kinds::values::{Formula, Name, Parameters};
use bt_core::kinds::{Path, Use};
use bt_core::tree::asset::AssetNode;
use serde_json::Value;

use crate::catalogue::{AgentEntry, Catalogue, ItemEntry, MethodEntry};
use crate::error::did_you_mean;
use crate::layout::Agents;
use crate::lint::{in_braces, is_template, named_key};

/// The sort of thing that a name is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Of {
    Call,
    Property,
    Event,
    Key,
}

/// The names of one sort.
#[derive(Debug, Default)]
struct Known {
    /// The name that each stands for: names of old for those of today.
    names: BTreeMap<String, String>,
    /// There may be others: a `#[fallback]` answers them, or the catalogue cannot be read.
    is_open: bool,
}

impl Known {
    fn add(&mut self, name: &str, stands_for: &str) {
        let known = self.names.entry(name.to_owned());
        known.or_insert_with(|| stands_for.to_owned());
    }

    fn item(&mut self, item: &ItemEntry) {
        self.add(&item.name, &item.name);
        for alias in &item.alias {
            self.add(alias, &item.name);
        }
    }
}

/// The names that agents answer to.
#[derive(Debug, Default)]
pub(crate) struct Names {
    calls: Known,
    properties: Known,
    events: Known,
    keys: Known,
}

impl Names {
    /// The names of the agents of a type, or of all agents; `catalogue` is the game's, and `texts` are those of its
    /// trees, by name.
    pub(crate) fn of<'t>(
        catalogue: Value,
        agent_type: Option<&str>,
        texts: impl Iterator<Item = (&'t str, &'t str)>,
    ) -> Names {
        let mut names = Names::default();
        let catalogue: Option<Catalogue> = serde_json::from_value(catalogue).ok();
        let agents = catalogue.as_ref().and_then(|it| Agents::new(it).ok());
        let mut methods = BTreeMap::new();
        let is_read = agents.is_some_and(|agents| {
            let one = agent_type.map(|name| agents.find(name));
            let all: Vec<&AgentEntry> = match one {
                None => agents.all().collect(),
                Some(Ok(one)) => vec![one],
                Some(Err(_)) => return false,
            };
            for from in all.into_iter().flat_map(|agent| agents.line(agent)) {
                names.agent(from);
                let own = from.methods.iter();
                for method in own {
                    methods.entry(method.item.name.as_str()).or_insert(method);
                }
            }
            true
        });
        names.calls.is_open |= !is_read;
        names.properties.is_open |= !is_read;
        for (name, text) in texts {
            // One that is no tree names nothing.
            if let Ok(tree) = TreeAsset::from_slice(name, text.as_bytes()) {
                for node in tree.preorder() {
                    names.node(node, &methods);
                }
            }
        }
        names
    }

    fn agent(&mut self, agent: &AgentEntry) {
        for method in &agent.methods {
            self.calls.item(&method.item);
        }
        for property in &agent.properties {
            self.properties.item(&property.item);
        }
        for event in &agent.events {
            self.events.item(&event.item);
        }
        self.calls.is_open |= agent.fallback.is_some();
    }

    fn node(&mut self, node: &AssetNode, methods: &BTreeMap<&str, &MethodEntry>) {
        let typed = node.typed();
        for (key, _) in &typed.declared().0 {
            self.key(key);
        }
        typed.uses(&Path::TOP, &mut |_, used| match used {
            Use::Call(_, call) => self.call(call, methods),
            Use::Guard(_, guard) if guard.formula.is_some() => {}
            Use::Guard(_, guard) => self.call(&guard.condition, methods),
            Use::Expression(_, Formula(text)) | Use::Value(_, Formula(text)) => {
                keys(text).for_each(|key| self.key(&key))
            }
            Use::Writes(_, writes) => {
                let texts = writes
                    .0
                    .iter()
                    .flat_map(|(name, Formula(text))| [*name, *text]);
                texts.flat_map(keys).for_each(|key| self.key(&key));
            }
            Use::Number(argument, _) => self.argument(argument),
            Use::Event(Name(event), params) => {
                self.events.add(event, event);
                self.params(params);
            }
            Use::Starts(starts) => {
                self.events.add(starts.event.0, starts.event.0);
                self.params(&starts.params);
            }
            Use::Tree(tree) => {
                if let Some(Name(key)) = tree.name_key {
                    self.key(key);
                }
                for (key, argument) in &tree.args.0 {
                    self.key(key);
                    if let Some(argument) = argument {
                        self.argument(argument);
                    }
                }
                for (key, Name(own)) in &tree.results.0 {
                    self.key(key);
                    self.key(own);
                }
            }
        });
    }

    fn key(&mut self, key: &str) {
        self.keys.add(key, key);
    }

    fn params(&mut self, params: &Parameters<'_>) {
        for (_, Name(key)) in &params.0 {
            self.key(key);
        }
    }

    /// The keys that an argument takes whose place says nothing else of it.
    fn argument(&mut self, argument: &Argument<'_>) {
        if let Some(key) = argument.key() {
            self.key(key);
        }
        if let Some(text) = argument.expression() {
            keys(text).for_each(|key| self.key(&key));
        }
    }

    /// The keys that a call's arguments take, and those that a built-in action's name.
    fn call(&mut self, call: &Call<'_>, methods: &BTreeMap<&str, &MethodEntry>) {
        let present = self.calls.names.get(call.name).map(String::as_str);
        let method = methods.get(present.unwrap_or(call.name)).copied();
        for (at, item) in call.args.all().unwrap_or_default().iter().enumerate() {
            self.argument(item);
            let (Some(method), Some(literal)) = (method, item.plain().and_then(Value::as_str))
            else {
                continue;
            };
            let argument = match item.name() {
                Some(name) => method.args.iter().find(|arg| arg.name == name),
                None => method.args.get(at),
            };
            let Some(argument) = argument else { continue };
            if named_key(method, &argument.name).is_some() {
                self.key(literal);
            }
            if is_template(method, &argument.name) {
                for (_, key) in in_braces(literal) {
                    self.key(key);
                }
            }
        }
    }

    /// The name of today that a name stands for; `board` has further keys: those that there are.
    ///
    /// # Errors
    /// That there is no such name, with the nearest one.
    pub(crate) fn find(
        &self,
        of: Of,
        name: &str,
        board: &BTreeMap<String, Value>,
    ) -> Result<String, String> {
        let (known, what) = match of {
            Of::Call => (&self.calls, "no action or condition is named"),
            Of::Property => (&self.properties, "the agent has no property"),
            Of::Event => (&self.events, "no agent and no tree has an event"),
            Of::Key => (&self.keys, "the agent has no key"),
        };
        if let Some(present) = known.names.get(name) {
            return Ok(present.clone());
        }
        // A running tree's own key is `key@run`, and is written under its name.
        let board = match of {
            Of::Key => board.keys().map(String::as_str).collect(),
            Of::Call | Of::Property | Of::Event => Vec::new(),
        };
        let own = board.iter().filter_map(|key| Some(key.split_once('@')?.0));
        if !name.is_empty()
            && (known.is_open || board.contains(&name) || own.clone().any(|own| own == name))
        {
            return Ok(name.to_owned());
        }
        let all = known.names.keys().map(String::as_str);
        let near = did_you_mean(name, all.chain(board.iter().copied()));
        let near = near.map_or_else(String::new, |near| format!("; {near}"));
        let shown: String = name.chars().take(60).collect();
        Err(match of {
            Of::Key => format!("{what} `{shown}`, and no tree names one{near}"),
            Of::Call | Of::Property | Of::Event => format!("{what} `{shown}`{near}"),
        })
    }
}

/// The reason why a key cannot be set from outside, if it is a running tree's own: the agent's board would
/// get another one.
pub(crate) fn own_key(key: &str, board: &BTreeMap<String, Value>) -> Option<String> {
    if board.contains_key(key) && !key.contains('@') {
        return None;
    }
    let name = key.split('@').next().unwrap_or_default();
    let mut own = board.keys().filter_map(|known| known.split_once('@'));
    let (_, run) = own.find(|(known, _)| *known == name)?;
    Some(format!(
        "`{name}` is a key of a running tree's own (`{name}@{run}`): only the tree can set it"
    ))
}

/// The key that a breakpoint's condition compares.
pub(crate) fn compared(condition: &str) -> Option<&str> {
    let at = condition.find(['=', '!', '<', '>'])?;
    Some(condition[..at].trim()).filter(|key| !key.is_empty())
}

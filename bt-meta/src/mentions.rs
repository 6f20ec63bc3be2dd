//! The names that a tree mentions: what each is of, where it stands, and what is done with it.

use crate::lint::{in_braces, is_template, named_key};
use bt_core::TreeAsset;
use bt_core::expression::{Named, Target, names};
use bt_core::kinds::call::{Argument, Call};
use bt_core::kinds::values::{Formula, Name, Parameters};
use bt_core::kinds::{Caller, Params, Path, Use};
use bt_core::registry::AgentInfo;
use bt_core::registry::catalogue::{InOut, MethodEntry};
use bt_core::tree::asset::{AssetNode, step};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The sort of a thing with a name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ThingKind {
    /// A tree.
    #[default]
    Tree,
    /// An action.
    Action,
    /// A condition.
    Condition,
    /// A decorator.
    Decorator,
    /// A composite of an agent.
    Composite,
    /// A key of the blackboard.
    Key,
    /// An event.
    Event,
    /// A property of an agent.
    Property,
    /// An agent.
    Agent,
}

/// A name in a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// The node.
    pub node: u32,
    /// The JSON pointer, in the file, of the value that is the name, or that the name is the key of.
    pub pointer: String,
    /// The part of the value.
    pub part: Part,
    /// The sort of thing that it names; for a method always an action.
    pub kind: ThingKind,
    /// The name, as the file has it.
    pub name: String,
    /// Of a key: it is read.
    pub reads: bool,
    /// Of a key: it is set.
    pub sets: bool,
}

/// The part of a value that is a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The value itself.
    Whole,
    /// The key that it has in its object.
    Key,
    /// The key that it has in its object, with the sign of an expression: `$name`, `@name`.
    Target,
    /// A part in braces of a text.
    InBraces,
    /// A name in the text of an expression.
    InExpression,
}

/// Finds the names in a tree. `agent` is the tree's, if it is known.
pub fn mentions(tree: &TreeAsset, agent: Option<AgentInfo<'_>>) -> Vec<Mention> {
    let mut found = Mentions {
        agent,
        all: Vec::new(),
        node: 0,
        pointer: String::new(),
    };
    for node in tree.preorder() {
        found.node = node.idx();
        found.pointer = tree.pointer(node.idx()).unwrap_or_default();
        found.of_node(node);
    }
    found.all
}

/// Finds the argument of a method that an item of a call's list is for.
pub fn argument_of(method: &MethodEntry, at: usize, item: &Argument<'_>) -> Option<usize> {
    match item.name() {
        None => Some(at).filter(|at| *at < method.args.len()),
        Some(name) => method
            .args
            .iter()
            .position(|arg| arg.name == name || arg.alias.iter().any(|alias| alias == name)),
    }
}

struct Mentions<'a> {
    agent: Option<AgentInfo<'a>>,
    all: Vec<Mention>,
    node: u32,
    pointer: String,
}

impl<'a> Mentions<'a> {
    fn of_node(&mut self, node: &AssetNode) {
        if let Some(agent) = node.extra.get("agent_name").and_then(|name| name.as_str())
            && node.parent().is_none()
        {
            self.say(ThingKind::Agent, agent, "/extra/agent_name".to_owned());
        }
        let typed = node.typed();
        let own = typed.params.iter().flat_map(Params::declares);
        let own: Vec<_> = own.map(|(parameter, key, _)| (parameter, key.0)).collect();
        for (key, _) in &typed.declared().0 {
            if let Some((parameter, _)) = own.iter().find(|(_, own)| own == key) {
                let below = format!("/extra/{parameter}");
                self.key(key, below, Part::Whole, (false, true));
                continue;
            }
            let below = format!("/extra/blackboard/{}", step(key));
            self.key(key, below, Part::Key, (false, false));
        }
        typed.uses(&Path::TOP.own("extra"), &mut |path, used| match used {
            Use::Call(caller, call) => self.call(path, caller, call),
            Use::Guard(_, guard) if guard.formula.is_some() => {}
            Use::Guard(caller, guard) => self.call(path, caller, &guard.condition),
            Use::Expression(_, Formula(text)) | Use::Value(_, Formula(text)) => {
                self.expression(path.pointer(), text)
            }
            Use::Writes(_, writes) => {
                for (name, Formula(text)) in &writes.0 {
                    let below = path.key(name).pointer();
                    match Target::read(name) {
                        Some(Target::Key(key)) => {
                            let part = Part::Target;
                            self.key(&key, below.clone(), part, (false, true));
                        }
                        Some(Target::Property(property)) => {
                            let (kind, part) = (ThingKind::Property, Part::Target);
                            self.push(kind, &property, below.clone(), part, (false, true));
                        }
                        None => {}
                    }
                    self.expression(below, text);
                }
            }
            Use::Number(argument, _) => self.argument(path, argument, (true, false)),
            Use::Event(Name(event), params) => {
                self.say(ThingKind::Event, event, path.key("event").pointer());
                self.params(path, params);
            }
            Use::Starts(event) => {
                self.say(ThingKind::Event, event.event.0, path.key("event").pointer());
                self.say(ThingKind::Tree, event.tree.0, path.key("tree").pointer());
                self.params(path, &event.params);
            }
            Use::Tree(tree) => {
                if let Some(Name(name)) = tree.sub_tree_name {
                    self.say(ThingKind::Tree, name, path.key("sub_tree_name").pointer());
                }
                if let Some(Name(key)) = tree.name_key {
                    self.key(
                        key,
                        path.key("name_key").pointer(),
                        Part::Whole,
                        (true, false),
                    );
                }
                let (path, results) = (path.key("args"), path.key("results"));
                for (key, argument) in &tree.args.0 {
                    let path = path.key(key);
                    self.key(key, path.pointer(), Part::Key, (false, true));
                    if let Some(argument) = argument {
                        self.argument(&path, argument, (true, false));
                    }
                }
                for (key, Name(own)) in &tree.results.0 {
                    let path = results.key(key);
                    self.key(key, path.pointer(), Part::Key, (true, false));
                    self.key(own, path.pointer(), Part::Whole, (false, true));
                }
            }
        });
    }

    fn say(&mut self, kind: ThingKind, name: &str, below: String) {
        self.push(kind, name, below, Part::Whole, (false, false));
    }

    fn key(&mut self, name: &str, below: String, part: Part, does: (bool, bool)) {
        self.push(ThingKind::Key, name, below, part, does);
    }

    fn push(&mut self, kind: ThingKind, name: &str, below: String, part: Part, does: (bool, bool)) {
        if name.is_empty() {
            return;
        }
        self.all.push(Mention {
            node: self.node,
            pointer: format!("{}{below}", self.pointer),
            part,
            kind,
            name: name.to_owned(),
            reads: does.0,
            sets: does.1,
        });
    }

    /// The keys that take an event's parameters.
    fn params(&mut self, path: &Path<'_>, params: &Parameters<'_>) {
        let path = path.key("params");
        for (param, Name(key)) in &params.0 {
            self.key(key, path.key(param).pointer(), Part::Whole, (false, true));
        }
    }

    fn argument(&mut self, path: &Path<'_>, argument: &Argument<'_>, does: (bool, bool)) {
        let below = || path.key("arg_value").pointer();
        if let Some(key) = argument.key() {
            self.key(key, below(), Part::Whole, does);
        }
        if let Some(property) = argument.property() {
            self.say(ThingKind::Property, property, below());
        }
        if let Some(text) = argument.expression() {
            self.expression(below(), text);
        }
    }

    /// The names in an expression, each once.
    fn expression(&mut self, below: String, text: &str) {
        let mut seen = Vec::new();
        for (named, name, _) in names(text) {
            if seen.contains(&(named, name.clone())) {
                continue;
            }
            let (kind, reads) = match named {
                Named::Key => (ThingKind::Key, true),
                Named::Property => (ThingKind::Property, false),
                Named::Method => (ThingKind::Action, false),
            };
            self.push(
                kind,
                &name,
                below.clone(),
                Part::InExpression,
                (reads, false),
            );
            seen.push((named, name));
        }
    }

    fn call(&mut self, path: &Path<'_>, caller: Caller, call: &Call<'_>) {
        let (name, args) = caller.keys();
        self.say(ThingKind::Action, call.name, path.key(name).pointer());
        let method = self.agent.and_then(|agent| agent.action(call.name).ok());
        let path = path.key(args);
        for (at, item) in call.args.all().unwrap_or_default().iter().enumerate() {
            let path = path.item(at);
            let argument = method.as_ref().and_then(|method| {
                let at = argument_of(method, at, item)?;
                Some((method.entry, &method.entry.args[at]))
            });
            let does = match argument.map(|(_, arg)| arg.ty.in_out) {
                Some(Some(InOut::Out)) => (false, true),
                Some(Some(InOut::InOut)) | None => (true, true),
                Some(None) => (true, false),
            };
            self.argument(&path, item, does);
            let Some((method, arg)) = argument else {
                continue;
            };
            let Some(text) = item.plain().and_then(|value| value.as_str()) else {
                continue;
            };
            let below = || path.key("arg_value").pointer();
            if let Some(does) = named_key(method, &arg.name) {
                self.key(text, below(), Part::Whole, does);
            }
            if is_template(method, &arg.name) {
                for (_, key) in in_braces(text) {
                    self.key(key, below(), Part::InBraces, (true, false));
                }
            }
        }
    }
}

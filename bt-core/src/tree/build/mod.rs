//! Trees as data become one flat plan: names, arguments, keys and trees resolved.
//!
//! What is wrong with a tree was found by [`check`](super::check()) before; what binding refuses
//! beyond that is listed in the same way.

mod attach;
mod context;
#[cfg(feature = "save")]
mod hash;
#[cfg(not(feature = "save"))]
#[path = "no_hash.rs"]
mod hash;

use crate::tree::Code;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::{Arguments, Display};
use std::mem::take;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde_json::Value;

use super::asset::{AssetError, AssetNode, Problem, TreeAsset};
use super::by_either_name;
use super::check::{self, Owner};
use super::plan::{Arg, Ask, Call, Computed, Given, Go, Info, NONE, Node, Plan, PlanTree};
use crate::blackboard::{Declaration, KeyId, KeyTable, Keys, Scope};
use crate::call::Source;
use crate::describe::catalogue::{EventEntry, ValueEntry};
use crate::error::CallError;
use crate::expression::{Expr, parse};
use crate::kinds::attached::{Declarations, GuardMode};
use crate::kinds::set::Writes;
use crate::kinds::values::{Formula, Name, Parameters};
use crate::kinds::{self, Caller, KeyProblem, Params};
use crate::registry::EventInfo;
use hash::TreeHash;

/// The agent's calls, which a plan knows by their numbers.
pub(crate) trait Calls {
    /// Binds a call.
    fn bind(
        &mut self,
        name: &str,
        args: &kinds::call::Arguments<'_>,
        keys: &mut dyn Keys,
    ) -> Result<Bound, CallError>;

    /// Binds a call that writes keys and properties.
    fn writes(&mut self, writes: &Writes<'_>, keys: &mut dyn Keys) -> Result<Bound, CallError>;

    /// The number of a property.
    fn property(&mut self, name: &str) -> Result<u32, CallError>;

    /// Binds an expression that is evaluated as a condition.
    fn expression(&mut self, text: &str, keys: &mut dyn Keys) -> Result<Bound, CallError>;

    /// The number of an expression whose value a node takes.
    fn value(&mut self, text: &str, keys: &mut dyn Keys) -> Result<u32, CallError>;

    /// Returns true if an expression looks at no agent and no world.
    fn is_by_keys(&self, expr: &Expr) -> bool;

    /// The agent's events, by the names that they have and once had.
    fn events(&self) -> BTreeMap<Box<str>, EventInfo>;

    /// The agent's event of a name or alias.
    fn event(&self, name: &str) -> Option<&EventEntry>;
}

/// A call that was bound.
#[derive(Debug)]
pub(crate) struct Bound {
    pub(crate) callee: Callee,
    /// The present name of its callee.
    pub(crate) name: Cow<'static, str>,
    /// The sources of its arguments, in the order of the signature.
    pub(crate) sources: Vec<Source>,
    /// The slots of those that are properties or expressions, in their order.
    pub(crate) properties: Vec<KeyId>,
    /// True if the name is the text of an expression.
    pub(crate) is_expression: bool,
}

/// The number of a call, and what is known of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Callee {
    /// The number of calls that were bound before it.
    pub(crate) call: u32,
    /// It looks at no agent and no world, so its answer changes with keys only.
    pub(crate) by_keys: bool,
    pub(crate) has_exit: bool,
    /// True if that takes arguments.
    pub(crate) exit_takes: bool,
}

impl Callee {
    /// The absent callee: a problem was found.
    const NONE: Callee = Callee {
        call: 0,
        by_keys: true,
        has_exit: false,
        exit_takes: false,
    };
}

/// Builds the plan of trees that were checked.
pub(crate) fn build(assets: &[TreeAsset], calls: &mut dyn Calls) -> Result<Plan, AssetError> {
    let mut build = Build::new(assets, calls);
    for (number, asset) in assets.iter().enumerate() {
        build.declare(number, asset);
    }
    for (number, asset) in assets.iter().enumerate() {
        build.tree(number as u32, asset);
    }
    build.plan()
}

/// The same of trees as a saved agent describes them: what cannot be bound is never called.
pub(crate) fn build_described(
    assets: &[TreeAsset],
    kept_events: &[&str],
    calls: &mut dyn Calls,
) -> Plan {
    let mut build = Build::new(assets, calls);
    for event in kept_events {
        build.event(event, true);
    }
    for (number, asset) in assets.iter().enumerate() {
        build.declare(number, asset);
    }
    // Calls without a name have the number 0: it is that of no other.
    let nothing = kinds::call::Arguments::LeftOut;
    let mut keys = build.table.seen_from(Scope::AGENT);
    let nobody = build.calls.bind("", &nothing, &mut keys);
    drop(keys);
    if let Ok(nobody) = nobody {
        build.bound_call(nobody);
    }
    for (number, asset) in assets.iter().enumerate() {
        build.tree(number as u32, asset);
    }
    build.problems.clear();
    build.made()
}

pub(crate) struct Build<'b> {
    calls: &'b mut dyn Calls,
    table: KeyTable,
    nodes: Vec<Node>,
    infos: Vec<Info>,
    trees: Vec<PlanTree>,
    bound: Vec<Call>,
    by_name: FxHashMap<Box<str>, u32>,
    events: FxHashMap<Box<str>, u32>,
    latched: Vec<bool>,
    takes_events: bool,
    scoped: bool,
    problems: Vec<Problem>,
    /// The place of the node that is built.
    asset: Option<&'b TreeAsset>,
    idx: u32,
    /// The number of its children.
    children: u32,
    /// Its name for people.
    name: Cow<'static, str>,
    /// True if its action has an exit method.
    exits: bool,
    scope: Scope,
    /// The scope of the node around the present one: its guards do not see its own keys.
    outer: Scope,
}

impl<'b> Build<'b> {
    fn new(assets: &'b [TreeAsset], calls: &'b mut dyn Calls) -> Build<'b> {
        let names = assets.iter().zip(0..);
        let by_name = names.map(|(asset, number)| (asset.name().into(), number));
        let count = assets.iter().map(|asset| asset.nodes().len()).sum();
        Build {
            calls,
            table: KeyTable::new(),
            nodes: Vec::with_capacity(count),
            infos: Vec::with_capacity(count),
            trees: Vec::with_capacity(assets.len()),
            bound: Vec::with_capacity(count),
            by_name: by_name.collect(),
            events: FxHashMap::default(),
            latched: Vec::new(),
            takes_events: false,
            scoped: false,
            problems: Vec::new(),
            asset: None,
            idx: 0,
            children: 0,
            name: Cow::default(),
            exits: false,
            scope: Scope::AGENT,
            outer: Scope::AGENT,
        }
    }

    /// Declares a tree's keys, before any call is bound to one.
    fn declare(&mut self, number: usize, asset: &'b TreeAsset) {
        self.asset = Some(asset);
        let root = asset.root();
        self.idx = root.idx();
        let has_own = asset.nodes().iter().any(has_own_keys);
        let scope = if has_own {
            self.table.tree()
        } else {
            Scope::AGENT
        };
        self.scoped |= has_own;
        for declared in check::declared(root) {
            let scope = match declared.owner {
                Owner::OneTree => scope,
                Owner::AllTrees | Owner::AllAgents | Owner::OneNode => Scope::AGENT,
            };
            self.declare_key(scope, declared.declaration());
        }
        debug_assert_eq!(number, self.trees.len());
        self.trees.push(PlanTree {
            name: asset.name().into(),
            root: 0,
            hash: 0,
            shape: 0,
            again: true,
            scope,
            scoped: has_own,
            disabled: asset.left_out().into(),
        });
    }

    fn declare_key(&mut self, scope: Scope, declaration: Declaration) {
        if let Err(error) = self.table.declare(scope, declaration) {
            self.problem("/extra/blackboard", error.to_string());
        }
    }

    fn tree(&mut self, number: u32, asset: &'b TreeAsset) {
        self.asset = Some(asset);
        let root = self.nodes.len() as u32;
        self.trees[number as usize].root = root;
        // The node, its parent's place, and the scope that it stands in.
        let tree_scope = self.trees[number as usize].scope;
        let mut next = vec![(asset.root(), NONE, tree_scope)];
        let (mut hash, mut shape) = (TreeHash::default(), TreeHash::default());
        while let Some((node, parent, scope)) = next.pop() {
            let place = self.nodes.len() as u32;
            self.idx = node.idx();
            let said = self.read(node);
            let Some(params) = said.params else {
                let kind = &node.data().kind;
                self.problem("/type", format!("there is no node type `{kind}`"));
                continue;
            };
            hash.node(&params, node);
            let meaning = TreeHash::meaning(&params, node);
            shape.shape(meaning, node);
            let kind = params.kind().name();
            (self.scope, self.outer) = (scope, scope);
            self.own_scope(node, &said.attachments.blackboard);
            let has_keys = self.scope != self.outer;
            if let Params::Root(root) = &params {
                self.trees[number as usize].again = root.is_loop();
            }
            self.children = node.children().len() as u32;
            let planned = params.plan(self);
            let (name, exits) = (take(&mut self.name), take(&mut self.exits));
            let attached = self.attached(&said.attachments);
            self.takes_events |= attached.as_ref().is_some_and(|all| !all.events.is_empty());
            let watched = attached
                .as_ref()
                .is_some_and(|all| all.guards.iter().any(|guard| guard.lower));
            self.nodes.push(Node {
                kind: planned,
                next: [Go::up(place, false), Go::up(place, true)],
                end: place + 1,
                attached: attached.is_some() || has_keys,
                exits,
                slow: attached.is_some() || exits || self.scoped,
            });
            self.infos.push(Info {
                parent,
                idx: node.idx(),
                line: node.line(),
                tree: number,
                scope: self.scope,
                kind,
                name,
                meaning,
                attached,
            });
            if watched && parent != NONE {
                // It ends what its children watch.
                let above = &mut self.nodes[parent as usize];
                (above.attached, above.slow) = (true, true);
            }
            let children = node.children().iter().rev();
            let children = children.filter_map(|child| asset.node(*child));
            next.extend(children.map(|child| (child, place, self.scope)));
        }
        self.trees[number as usize].hash = hash.finish();
        self.trees[number as usize].shape = shape.finish();
        // From the end: a node's last child has its end already.
        for place in (root..self.nodes.len() as u32).rev() {
            let parent = self.infos[place as usize].parent;
            let end = self.nodes[place as usize].end;
            if parent != NONE {
                let above = &mut self.nodes[parent as usize];
                above.end = above.end.max(end);
            }
        }
        Plan::find_ways(&mut self.nodes, &self.infos, root);
    }

    /// The keys that a node declares for itself and what is below it.
    fn own_scope(&mut self, node: &AssetNode, all: &Declarations<'_>) {
        let mut all = check::declared_as(all, node).peekable();
        if node.parent().is_none() || all.peek().is_none() {
            return;
        }
        self.scope = self.table.node(self.scope);
        for declared in all {
            self.declare_key(self.scope, declared.declaration());
        }
    }

    fn plan(mut self) -> Result<Plan, AssetError> {
        match AssetError::of(take(&mut self.problems), 0) {
            Some(error) => Err(error),
            None => Ok(self.made()),
        }
    }

    fn made(self) -> Plan {
        Plan {
            nodes: self.nodes.into(),
            infos: self.infos.into(),
            trees: self.trees.into(),
            calls: self.bound.into(),
            by_name: self.by_name,
            registered: self.calls.events(),
            events: self.events,
            latched: self.latched.into(),
            takes_events: self.takes_events,
            scoped: self.scoped,
            keys: Arc::new(self.table),
        }
    }

    pub(super) fn problem(&mut self, below: impl Display, message: impl Into<String>) {
        let Some(asset) = self.asset else { return };
        let pointer = asset.pointer(self.idx).unwrap_or_default();
        let problem = Problem::new(Code::Contradiction, asset.name(), message);
        let problem = problem.of_node(self.idx).at(format!("{pointer}{below}"));
        self.problems.push(problem);
    }

    /// The content of a node in its file. The check has refused all that cannot be read.
    fn read<'t>(&mut self, node: &'t AssetNode) -> kinds::Node<'t> {
        let mut refused = None;
        let said = node.read(&mut |path, problem| {
            if !matches!(problem, KeyProblem::Unknown { .. }) {
                refused.get_or_insert_with(|| path.pointer());
            }
        });
        if let Some(pointer) = refused {
            self.problem(pointer, "it cannot be read");
        }
        said
    }

    /// The number of a call, and what is known of it.
    pub(super) fn call(
        &mut self,
        call: &kinds::call::Call<'_>,
        caller: Caller,
        below: Arguments<'_>,
    ) -> Callee {
        if call.name.is_empty() {
            return Callee::NONE;
        }
        let mut seen = self.table.seen_from(self.scope);
        match self.calls.bind(call.name, &call.args, &mut seen) {
            Ok(bound) => {
                drop(seen);
                self.bound_call(bound)
            }
            Err(error) => {
                drop(seen);
                let (_, args) = caller.keys();
                self.problem(format_args!("{below}/{args}"), error.to_string());
                Callee::NONE
            }
        }
    }

    fn bound_call(&mut self, bound: Bound) -> Callee {
        let sources = bound.sources.into_iter();
        let mut properties = bound.properties.into_iter();
        let mut args = Vec::new();
        for source in sources {
            args.push(match source {
                Source::Literal(value) => Arg::Literal(value),
                Source::Key(key) => {
                    let id = self.table.seen_from(self.scope).intern(&key);
                    Arg::Key(key.into(), id)
                }
                Source::Property(name) => match properties.next() {
                    Some(slot) => Arg::Property(name.into(), slot),
                    None => continue,
                },
                Source::Expression(text) => match properties.next() {
                    Some(slot) => self.computed(text, slot),
                    None => continue,
                },
            });
        }
        let args = args.into();
        let name = bound.name;
        let exit_takes = bound.callee.exit_takes;
        self.bound.push(Call {
            name,
            args,
            exit_takes,
            is_expression: bound.is_expression,
        });
        bound.callee
    }

    /// An argument that is an expression, into a slot.
    fn computed(&mut self, text: String, slot: KeyId) -> Arg {
        let mut computed = Computed {
            text: text.into(),
            slot,
            keys: Box::default(),
            by_keys: false,
        };
        if let Ok(expr) = parse(&computed.text) {
            computed.by_keys = self.calls.is_by_keys(&expr);
            let mut seen = self.table.seen_from(self.scope);
            let keys = expr.keys().into_iter().map(|key| seen.intern(key));
            computed.keys = keys.collect();
        }
        Arg::Expression(Box::new(computed))
    }

    /// The number of an expression that is evaluated as a condition, and what is known of it.
    fn expression(&mut self, formula: Formula<'_>, below: Arguments<'_>) -> Callee {
        if formula.0.is_empty() {
            return Callee::NONE;
        }
        let mut seen = self.table.seen_from(self.scope);
        let bound = self.calls.expression(formula.0, &mut seen);
        drop(seen);
        match bound {
            Ok(bound) => self.bound_call(bound),
            Err(error) => {
                self.problem(below, error.to_string());
                Callee::NONE
            }
        }
    }

    /// The number of a call that writes.
    pub(super) fn writes(&mut self, writes: &Writes<'_>, below: Arguments<'_>) -> u32 {
        let mut seen = self.table.seen_from(self.scope);
        let bound = self.calls.writes(writes, &mut seen);
        drop(seen);
        match bound {
            Ok(bound) => self.bound_call(bound).call,
            Err(error) => {
                self.problem(format_args!("{below}/set"), error.to_string());
                Callee::NONE.call
            }
        }
    }

    /// A condition to ask.
    pub(super) fn ask(
        &mut self,
        guard: &kinds::attached::Guard<'_>,
        caller: Caller,
        below: Arguments<'_>,
    ) -> Ask {
        let bound = match guard.formula {
            Some(formula) => self.expression(formula, format_args!("{below}/if")),
            None => self.call(&guard.condition, caller, below),
        };
        let mut slots = Vec::new();
        let mut by_property = false;
        let call = self.bound.get(bound.call as usize);
        for arg in call.iter().flat_map(|call| &call.args) {
            match arg {
                Arg::Key(_, id) => slots.push(*id),
                Arg::Property(..) => by_property = true,
                Arg::Expression(computed) => {
                    slots.extend(&computed.keys);
                    by_property |= !computed.by_keys;
                }
                Arg::Literal(_) => {}
            }
        }
        Ask {
            call: bound.call,
            not: guard.not,
            every: guard.mode == Some(GuardMode::Poll) || by_property || !bound.by_keys,
            keys: slots.into(),
        }
    }

    /// The slot of a key, as the node sees it.
    pub(super) fn key(&mut self, key: &str) -> KeyId {
        self.table.seen_from(self.scope).intern(key)
    }

    /// The number of an event.
    pub(super) fn event(&mut self, name: &str, latch: bool) -> u32 {
        let number = match self.events.get(name) {
            Some(number) => *number,
            None => {
                let next = self.latched.len() as u32;
                self.latched.push(false);
                // It is fired under its name, or under one that it once had.
                let names = self.calls.event(name).map(|event| &event.item);
                let names = names.into_iter().flat_map(|item| {
                    let aliases = item.alias.iter();
                    aliases.chain(std::iter::once(&item.name))
                });
                let names = names.map(String::as_str).chain(std::iter::once(name));
                self.events.extend(names.map(|name| (name.into(), next)));
                next
            }
        };
        self.latched[number as usize] |= latch;
        number
    }

    /// The number of a tree, with or without the ending `.json`.
    pub(super) fn tree_number(&mut self, name: &str, below: Arguments<'_>) -> u32 {
        match by_either_name(name, |name| self.by_name.get(name).copied()) {
            Some(tree) => tree,
            None => {
                self.problem(below, format!("there is no tree `{name}`"));
                0
            }
        }
    }

    /// The keys for the parameters of an event, by the parameters' present names.
    pub(super) fn params(
        &mut self,
        event: &str,
        params: &Parameters<'_>,
    ) -> Box<[(Box<str>, KeyId)]> {
        let named = self.named_params(event, params).into_iter();
        named.map(|(name, key)| (name, self.key(key))).collect()
    }

    /// The same by the keys' names.
    pub(super) fn named_params<'x>(
        &self,
        event: &str,
        params: &Parameters<'x>,
    ) -> Vec<(Box<str>, &'x str)> {
        if params.0.is_empty() {
            return Vec::new();
        }
        let event = self.calls.event(event);
        let params = params.0.iter().map(|(param, Name(key))| {
            let mut known = event.into_iter().flat_map(|event| &event.params);
            let is_it = |known: &&ValueEntry| {
                known.name == *param || known.alias.iter().any(|alias| alias == param)
            };
            let name = known.find(is_it).map_or(*param, |known| &known.name);
            (name.into(), *key)
        });
        params.collect()
    }

    fn fetched(&mut self, number: Result<u32, CallError>, below: Arguments<'_>) -> Given {
        match number {
            Ok(number) => Given::Fetched(number),
            Err(error) => {
                self.problem(below, error.to_string());
                Given::Literal(Value::Null)
            }
        }
    }

    /// The source of a value, as the node sees it.
    pub(super) fn given(&mut self, source: Source, below: Arguments<'_>) -> Given {
        match source {
            Source::Literal(value) => Given::Literal(value),
            Source::Key(key) => Given::Key(self.key(&key)),
            Source::Property(name) => {
                let fetched = self.calls.property(&name);
                self.fetched(fetched, below)
            }
            Source::Expression(text) => {
                let mut seen = self.table.seen_from(self.scope);
                let fetched = self.calls.value(&text, &mut seen);
                drop(seen);
                self.fetched(fetched, below)
            }
        }
    }
}

/// Returns true if a node declares keys that only its tree, or only it and what is below it, see.
fn has_own_keys(node: &AssetNode) -> bool {
    check::declared(node).any(|declared| matches!(declared.owner, Owner::OneTree | Owner::OneNode))
}

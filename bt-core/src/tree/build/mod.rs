//! Trees as data become one flat plan: names, arguments, keys and trees resolved.
//!
//! What is wrong with a tree was found by [`check`](super::check()) before; what binding refuses
//! beyond that is listed in the same way.

mod attach;
mod calls;
mod context;
#[cfg(feature = "save")]
mod hash;
#[cfg(not(feature = "save"))]
#[path = "no_hash.rs"]
mod hash;

use crate::tree::Code;
use std::borrow::Cow;
use std::fmt::{Arguments, Display};
use std::mem::take;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::asset::{AssetError, AssetNode, Problem, TreeAsset};
use super::by_either_name;
use super::check::{self, Owner};
use super::plan::{Call, Go, Info, NONE, Node, Number, Plan, PlanTree};
use crate::blackboard::{Declaration, KeyId, KeyTable, Scope};
use crate::describe::catalogue::ValueEntry;
use crate::kinds::attached::Declarations;
use crate::kinds::values::{Name, Parameters};
use crate::kinds::{self, KeyProblem, Params};
pub(crate) use calls::{Bound, Callee, Calls};
use hash::TreeHash;

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
    /// The node asks the agent what runs next.
    asks: bool,
    /// Its numbers that are read while it runs.
    numbers: Vec<Number>,
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
            asks: false,
            numbers: Vec::new(),
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
            every: 0,
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
                let tree = &mut self.trees[number as usize];
                tree.again = root.is_loop();
                tree.every = root.every.0.nanos();
            }
            self.children = node.children().len() as u32;
            let planned = params.plan(self);
            let (name, exits) = (take(&mut self.name), take(&mut self.exits));
            let asks = take(&mut self.asks);
            let attached = self.attached(&said.attachments);
            self.takes_events |= attached.as_ref().is_some_and(|all| !all.events.is_empty());
            let watched = attached
                .as_ref()
                .is_some_and(|all| all.guards.iter().any(|guard| guard.lower));
            self.nodes.push(Node {
                kind: planned,
                next: [Go::up(place, false), Go::up(place, true)],
                end: place + 1,
                attached: attached.is_some() || has_keys || asks,
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
            paced: self.trees.iter().any(|tree| tree.every != 0),
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
}

/// Returns true if a node declares keys that only its tree, or only it and what is below it, see.
fn has_own_keys(node: &AssetNode) -> bool {
    check::declared(node).any(|declared| matches!(declared.owner, Owner::OneTree | Owner::OneNode))
}

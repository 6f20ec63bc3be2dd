//! Trees of the engine as ours.

mod composites;
mod conditions;
mod decorators;
mod leaves;
mod scripts;
mod skips;
mod sub_trees;

use std::collections::{BTreeMap, BTreeSet};

use bt_core::TreeAsset;
use bt_core::kinds::Kind;
use bt_core::tree::asset::spec::{NodeSpec, action, check, node};
use serde_json::{Map, Value, json};

use super::files::Files;
use super::kinds::BuiltIn;
use super::models::{Models, called, key, tag};
use super::scope::{ScopeId, Scopes};
use super::xml::{Attribute, Element};
use crate::error::Error;
use crate::import::Options;
use crate::import::catalogue::Method;
use crate::import::names::Taken;
use crate::import::problem::{Level, Place, Problem};
use crate::import::types::{KeyTypes, Type};
use skips::Skip;

/// So many nodes are built at most: sub-trees that call sub-trees are copied for each call.
const MAX_NODES: usize = 100_000;

/// The findings of an earlier pass.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Known {
    /// The types of keys.
    types: KeyTypes,
    /// Keys that a script or a port writes for certain.
    written: BTreeSet<String>,
    /// Keys that are on a port.
    on_ports: BTreeSet<String>,
    /// The types of the keys on ports of which no model says the type.
    on_port: BTreeMap<(String, String), Type>,
    /// Ports, by method and name, that are taken to write their keys.
    outputs: BTreeSet<(String, String)>,
}

/// Builds all trees.
pub(super) struct Builder<'f> {
    files: &'f Files,
    models: &'f Models,
    options: &'f Options,
    known: &'f Known,
    found: Known,
    scopes: Scopes,
    names: Taken,
    built: Vec<Built>,
    /// Those that several calls can share.
    shared: Vec<usize>,
    called: BTreeSet<String>,
    seen: BTreeSet<(usize, String)>,
    problems: Vec<Problem>,
    nodes: usize,
    tree: Current,
}

/// The tree that is being built.
#[derive(Default)]
struct Current {
    file: usize,
    scope: Option<ScopeId>,
    /// The trees around it, this one the last.
    path: Vec<(usize, String)>,
    /// Its keys, each with the text that it has at first.
    keys: BTreeMap<String, Option<String>>,
    /// True if no other call can share it: it keeps something from one run to the next, or has keys of its own.
    is_alone: bool,
    /// The number of reactive nodes above the node that is being built.
    reactive: usize,
    /// The number of keys that were made for it.
    made: usize,
}

/// A tree that is done.
struct Built {
    name: String,
    source: (usize, String),
    spec: NodeSpec,
    comment: String,
    keys: BTreeMap<String, Option<String>>,
    is_alone: bool,
}

/// All that was built.
pub(super) struct Finished {
    pub(super) trees: Vec<TreeAsset>,
    pub(super) methods: Vec<Method>,
    pub(super) problems: Vec<Problem>,
}

impl<'f> Builder<'f> {
    pub(super) fn new(
        files: &'f Files,
        models: &'f Models,
        options: &'f Options,
        known: &'f Known,
    ) -> Builder<'f> {
        Builder {
            files,
            models,
            options,
            known,
            found: Known::default(),
            scopes: Scopes::default(),
            names: Taken::default(),
            built: Vec::new(),
            shared: Vec::new(),
            called: BTreeSet::new(),
            seen: BTreeSet::new(),
            problems: Vec::new(),
            nodes: 0,
            tree: Current::default(),
        }
    }

    /// The findings of this pass.
    pub(super) fn found(self) -> Known {
        self.found
    }

    /// Builds the trees that nothing calls, those that their files name, and those that they call.
    pub(super) fn all(&mut self) -> Result<(), Error> {
        for entry in self.entries() {
            self.root(entry)?;
        }
        while let Some(entry) = self.left() {
            self.root(entry)?;
        }
        Ok(())
    }

    /// The result, when all is built.
    pub(super) fn finish(self) -> Finished {
        let trees = self.built.iter().map(|built| self.asset(built)).collect();
        let used = |method: &&Method| self.called.contains(&method.name);
        let methods = self
            .models
            .methods
            .values()
            .filter(used)
            .map(|method| self.settled(method));
        Finished {
            trees,
            methods: methods.collect(),
            problems: self.problems,
        }
    }

    /// A tree as a file has it.
    fn asset(&self, built: &Built) -> TreeAsset {
        let mut tree = TreeAsset::build(&built.name, &self.options.agent, built.spec.clone());
        let board: Map<String, Value> = built
            .keys
            .iter()
            .map(|(key, first)| {
                let ty = self.found.types.get(key).unwrap_or(Type::Any);
                let mut declared = json!({"type": ty.name(), "scope": "agent"});
                if let Some(text) = first {
                    declared["initial"] = ty.value(text).unwrap_or_else(|| text.as_str().into());
                }
                (key.clone(), declared)
            })
            .collect();
        let root = tree.root().idx();
        if let Some(root) = tree.node_mut(root) {
            root.comment.clone_from(&built.comment);
            root.extra.insert("mode".to_owned(), "once".into());
            if !board.is_empty() {
                root.extra.insert("blackboard".to_owned(), board.into());
            }
        }
        tree
    }

    /// A node with all that is said about it, and what is below it.
    fn node(&mut self, element: &'f Element, skip: Skip<'_>) -> NodeSpec {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return check("false");
        }
        self.conditioned(element, skip)
    }

    /// A node without its pre- and post-conditions.
    fn plain(&mut self, element: &'f Element, skip: Skip<'_>) -> NodeSpec {
        let spec = match BuiltIn::named(&element.name).or_else(|| self.by_tag(element)) {
            Some(kind) => self.built_in(kind, element, skip),
            None => self.method(element),
        };
        match comment(element) {
            comment if comment.is_empty() => spec,
            comment => spec.comment(comment),
        }
    }

    /// One of the engine's own nodes, written as `<Control ID="Sequence">`.
    fn by_tag(&self, element: &Element) -> Option<BuiltIn> {
        tag(&element.name)?;
        BuiltIn::named(called(element))
            .filter(|_| !self.models.methods.contains_key(called(element)))
    }

    fn built_in(&mut self, kind: BuiltIn, element: &'f Element, skip: Skip<'_>) -> NodeSpec {
        use BuiltIn as B;
        match kind {
            B::Sequence | B::AsyncSequence | B::ReactiveSequence => self.sequence(kind, element, skip),
            B::Fallback | B::AsyncFallback | B::ReactiveFallback => self.fallback(kind, element, skip),
            B::SequenceWithMemory => self.with_memory(element, skip),
            B::Parallel => self.parallel(element),
            B::ParallelAll => self.parallel_all(element),
            B::IfThenElse => self.if_then_else(element, skip),
            B::WhileDoElse => self.while_do_else(element, skip),
            B::TryCatch => self.try_catch(element, skip),
            B::Switch(cases) => self.switch(cases, element, skip),
            B::ManualSelector => self.refuse(
                element,
                "`ManualSelector` lets a person choose in a terminal",
                "let the host write a key, and choose by it with a switch",
            ),
            B::Inverter | B::ForceSuccess | B::ForceFailure => self.turned(kind, element, skip),
            B::Repeat | B::Retry => self.again(kind, element, skip),
            B::KeepRunningUntilFailure => self.keep_running(element),
            B::Timeout | B::Delay => self.timed(kind, element, skip),
            B::RunOnce => self.run_once(element, skip),
            B::Precondition => self.precondition(element, skip),
            B::BlackboardCheck => self.blackboard_check(element, skip),
            B::Loop => self.list_loop(element, skip),
            B::AlwaysSuccess => succeeds(),
            B::AlwaysFailure => fails(),
            B::Script => self.script_leaf(element),
            B::ScriptCondition => self.script_condition(element),
            B::SetBlackboard => self.set_blackboard(element),
            B::UnsetBlackboard => self.unset_blackboard(element),
            B::Sleep => self.sleep(element),
            B::SubTree | B::SubTreePlus => self.sub_tree(element, skip),
            B::Updated => self.refuse(
                element,
                format!("`{}` checks whether an entry was written: no key has a counter of its writes", element.name),
                "fire an event where it is written and wait for it, or write a number beside it that counts",
            ),
            B::Queue => self.refuse(
                element,
                format!("`{}` takes elements out of a queue that others share: it is consumed in place", element.name),
                "keep the list under a key, and take elements with `array_pop`",
            ),
        }
    }

    /// A node that fails in place of one that cannot be carried, which is said.
    fn refuse(&mut self, element: &Element, message: impl Into<String>, help: &str) -> NodeSpec {
        let message = message.into();
        let comment = format!("NOT IMPORTED: <{}>: {message}", element.name);
        self.lost(&element.place, message, help);
        check("false").comment(comment)
    }

    /// Says of a wait that its end comes before what a reactive node above it asks again.
    fn ends_before_the_turn(&mut self, element: &Element) {
        if self.tree.reactive > 0 {
            let message = format!(
                "in the poll in which `{}` ends, the reactive node above it does not run its earlier children again",
                element.name
            );
            self.note(
                &element.place,
                message,
                "nothing need be done unless one of them turns in that very poll",
            );
        }
    }

    fn lost(&mut self, place: &Place, message: impl Into<String>, help: &str) {
        self.problem(Level::Loss, place, message.into(), help);
    }

    fn note(&mut self, place: &Place, message: impl Into<String>, help: &str) {
        self.problem(Level::Note, place, message.into(), help);
    }

    fn problem(&mut self, level: Level, place: &Place, message: String, help: &str) {
        let place = place.clone();
        self.problems.push(Problem {
            place,
            level,
            message,
            help: help.to_owned(),
        });
    }

    /// The key of the blackboard that a name is here.
    fn key(&mut self, name: &str) -> String {
        let Some(scope) = self.tree.scope else {
            return name.to_owned();
        };
        let (key, first) = self.scopes.key(scope, name);
        if let Some(text) = &first {
            self.found.types.written(&key, Type::of(text));
            self.found.written.insert(key.clone());
        }
        self.tree.keys.insert(key.clone(), first);
        key
    }

    /// A key of this tree that the source does not have.
    fn made_key(&mut self, what: &str, ty: Type) -> String {
        self.tree.made += 1;
        let name = match self.tree.made {
            1 => format!("_{what}"),
            more => format!("_{what}_{more}"),
        };
        // A name that begins with `_` is never the caller's; that of a root is made its own here.
        let tree = self
            .tree
            .path
            .last()
            .map(|(_, id)| id.clone())
            .unwrap_or_default();
        let key = match self.tree.path.len() {
            1 => {
                let key = format!("{tree}.{name}");
                self.tree.keys.insert(key.clone(), None);
                key
            }
            _ => self.key(&name),
        };
        self.found.types.declared(&key, ty);
        self.found.written.insert(key.clone());
        key
    }

    /// The type of a key, as far as it is known.
    fn type_of(&self, key: &str) -> Option<Type> {
        self.known.types.get(key)
    }
}

/// A leaf that succeeds.
fn succeeds() -> NodeSpec {
    action("nop")
}

/// A node that fails.
fn fails() -> NodeSpec {
    node(Kind::AlwaysFalse).child(succeeds())
}

/// The text that is kept as a comment: the name of the node, its description, the comments in front of it.
fn comment(element: &Element) -> String {
    let name = element.get("name").filter(|name| *name != called(element));
    let parts = [
        Some(element.comment.as_str()),
        name,
        element.get("_description"),
    ];
    let parts: Vec<&str> = parts
        .into_iter()
        .flatten()
        .filter(|part| !part.is_empty())
        .collect();
    parts.join("\n")
}

/// The attribute of an element, of one of these names.
fn one_of<'e>(element: &'e Element, names: &[&str]) -> Option<&'e Attribute> {
    names.iter().find_map(|name| element.attribute(name))
}

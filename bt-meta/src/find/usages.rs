//! The uses of a thing with a name.

use bt_core::tree::by_either_name;
use bt_core::tree::check::{Owner, declared};
use bt_core::{Registry, TreeAsset};

use super::Thing;
use crate::draw;
use crate::mentions::{Mention, Part, ThingKind, mentions};

/// The facts besides one tree that uses are found by.
pub struct Known<'k> {
    /// The agents.
    pub registry: Option<&'k Registry>,
    /// The path of the tree that a name means.
    pub path_of: &'k dyn Fn(&str) -> Option<String>,
    /// The tree at a path.
    pub tree: &'k dyn Fn(&str) -> Option<TreeAsset>,
}

impl std::fmt::Debug for Known<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Known").finish_non_exhaustive()
    }
}

/// The places where a tree mentions something.
pub fn mentions_of(known: &Known<'_>, of: &Thing, path: &str, tree: &TreeAsset) -> Vec<Mention> {
    let agent = tree.agent().zip(known.registry);
    let agent = agent.and_then(|(name, registry)| registry.agent(name).ok());
    let is_agents = of.agent.as_ref().is_none_or(|wanted| {
        let mut lineage = agent
            .iter()
            .flat_map(|agent| agent.lineage().collect::<Vec<_>>());
        lineage.any(|agent| agent.full_name() == wanted || agent.name() == wanted)
    });
    if !is_agents && of.kind != ThingKind::Tree {
        return Vec::new();
    }
    let is_it = |mention: &Mention| {
        let name = mention.name.as_str();
        match (of.kind, mention.kind) {
            (
                ThingKind::Action
                | ThingKind::Condition
                | ThingKind::Decorator
                | ThingKind::Composite,
                ThingKind::Action,
            ) => {
                let now = agent.and_then(|agent| agent.action(name).ok());
                name == of.name || now.is_some_and(|found| found.item.name == of.name)
            }
            (ThingKind::Tree, ThingKind::Tree) => {
                by_either_name(name, |name| (name == of.name).then_some(())).is_some()
            }
            (ThingKind::Event, ThingKind::Event) => {
                let now = agent.and_then(|agent| agent.event(name).ok());
                name == of.name || now.is_some_and(|found| found.item.name == of.name)
            }
            (ThingKind::Property, ThingKind::Property) => {
                let now = agent.and_then(|agent| agent.property(name).ok());
                name == of.name || now.is_some_and(|found| found.item.name == of.name)
            }
            (wanted, kind) => wanted == kind && name == of.name,
        }
    };
    let mut all = mentions(tree, agent);
    all.retain(is_it);
    if of.kind == ThingKind::Key {
        all.retain(|mention| is_that_key(known, of, path, tree, mention));
    }
    all
}

/// Returns true if a key of that name is the one that is meant: a tree may have one for itself, and what
/// is handed to a tree goes by the names of that tree's keys.
fn is_that_key(
    known: &Known<'_>,
    of: &Thing,
    path: &str,
    tree: &TreeAsset,
    mention: &Mention,
) -> bool {
    if !mention.pointer.contains("/extra/args/") || mention.part != Part::Key {
        return match &of.path {
            Some(own) => own == path,
            None => !has_own(tree, &of.name),
        };
    }
    let node = tree.node(mention.node);
    let called = node.and_then(|node| draw::card(node).calls);
    let called = called.and_then(|name| (known.path_of)(&name));
    match (&of.path, called) {
        (Some(own), called) => called.as_ref() == Some(own),
        (None, None) => true,
        (None, Some(called)) => {
            let called = (known.tree)(&called);
            called.is_none_or(|called| !has_own(&called, &of.name))
        }
    }
}

/// Returns true if a tree has a key for itself: each of its runs, or those of a node.
fn has_own(tree: &TreeAsset, key: &str) -> bool {
    tree.nodes().iter().any(|node| {
        let mut all = declared(node);
        all.any(|one| one.key == key && matches!(one.owner, Owner::OneTree | Owner::OneNode))
    })
}

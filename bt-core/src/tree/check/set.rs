//! The trees that are checked together: their names, their agents, the keys that they share.

use crate::tree::Code;
use std::collections::HashMap;

use super::board::{Declared, Owner, declared};
use super::index::Index;
use super::report::{At, Report, suggest};
use super::{Knows, Rules};
use crate::blackboard::{Declaration, ValueType};
use crate::describe::catalogue::JsonMap;
use crate::registry::LookupError;
use crate::text;
use crate::tree::asset::TreeAsset;
use crate::tree::by_either_name;

pub(super) struct Set<'c> {
    /// The trees, or of each at least its root.
    trees: &'c [TreeAsset],
    pub(super) knows: &'c dyn Knows,
    pub(super) rules: &'c Rules,
    names: HashMap<&'c str, usize>,
    agents: HashMap<&'c str, Named<'c>>,
    runner: Option<Index<'c>>,
    /// The keys that all trees see.
    keys: HashMap<&'c str, Shared<'c>>,
}

/// An agent that a tree names.
pub(super) enum Named<'c> {
    Unknown(LookupError),
    Known(Index<'c>),
}

/// A key that the root of a tree declares for all trees.
struct Shared<'c> {
    ty: ValueType,
    declaration: Declaration,
    by: &'c str,
}

impl<'c> Set<'c> {
    pub(super) fn of(trees: &'c [TreeAsset], knows: &'c dyn Knows, rules: &'c Rules) -> Set<'c> {
        let mut set = Set {
            trees,
            knows,
            rules,
            names: HashMap::new(),
            agents: HashMap::new(),
            runner: knows.runner().map(Index::of),
            keys: HashMap::new(),
        };
        for (at, tree) in trees.iter().enumerate() {
            set.names.entry(tree.name()).or_insert(at);
            for key in declared(tree.root()).filter(is_shared) {
                set.keys.entry(key.key).or_insert(Shared {
                    ty: key.ty.clone(),
                    declaration: key.declaration(),
                    by: tree.name(),
                });
            }
            if let Some(name) = tree.agent() {
                set.agents
                    .entry(name)
                    .or_insert_with(|| match knows.registry().agent(name) {
                        Ok(agent) => Named::Known(Index::of(agent)),
                        Err(error) => Named::Unknown(error),
                    });
            }
        }
        set
    }

    /// Tells what of a tree does not go with the trees before it: its name, and keys that all see.
    pub(super) fn shared(&self, at: usize, tree: &TreeAsset, report: &mut Report) {
        if self.names.get(tree.name()).is_some_and(|first| *first < at) {
            report.tell(
                Code::RepeatedTree,
                &At::file(tree),
                || "an earlier tree has the same name".to_owned(),
                || "trees are called by their names: give one of them another".to_owned(),
            );
        }
        for key in declared(tree.root()).filter(is_shared) {
            if let Some(first) = self.keys.get(key.key)
                && first.declaration != key.declaration()
            {
                conflict(tree, &key, first, report);
            }
        }
    }

    pub(super) fn defs(&self) -> &'c JsonMap {
        &self.knows.registry().catalogue().defs
    }

    pub(super) fn runner(&self) -> Option<&Index<'c>> {
        self.runner.as_ref()
    }

    /// The agent that a tree names.
    pub(super) fn named_agent(&self, tree: &TreeAsset) -> Option<&Named<'c>> {
        self.agents.get(tree.agent()?)
    }

    /// The agent that runs a tree, if it may.
    pub(super) fn agent(&self, tree: &TreeAsset) -> Option<&Index<'c>> {
        let Some(Named::Known(named)) = self.named_agent(tree) else {
            return None;
        };
        match &self.runner {
            Some(runner) => is_or_is_below(runner, named).then_some(runner),
            None => Some(named),
        }
    }

    /// The type of a key that all trees see.
    pub(super) fn key(&self, key: &str) -> Option<&ValueType> {
        Some(&self.keys.get(key)?.ty)
    }

    pub(super) fn tree(&self, name: &str) -> Option<&'c TreeAsset> {
        by_either_name(name, |name| Some(&self.trees[*self.names.get(name)?]))
    }

    /// The likely name of a tree that does not exist.
    pub(super) fn instead_of_tree(&self, name: &str) -> String {
        let all = self.names.keys().copied();
        let same = all.filter(|other| stem(other) == stem(name));
        match same.min() {
            Some(same) => format!("the tree is called `{}`", text::name(same)),
            None if self.names.len() > MANY => String::new(),
            None => {
                let names = self.names.keys().copied();
                suggest(name, names.flat_map(|full| [full, without_ending(full)]))
            }
        }
    }
}

/// Returns true if all trees see a key.
fn is_shared(key: &Declared<'_>) -> bool {
    !matches!(key.owner, Owner::OneTree | Owner::OneNode)
}

fn conflict(tree: &TreeAsset, key: &Declared<'_>, first: &Shared<'_>, report: &mut Report) {
    let root = At::node(tree, tree.root().idx());
    let extra = root.own("extra");
    let keys = extra.key("blackboard");
    report.tell(
        Code::ConflictingKeys,
        &keys.key(key.key),
        || {
            let (name, first_tree) = (text::name(key.key), text::name(first.by));
            let (here, there) = (&key.ty, &first.ty);
            if here == there {
                format!(
                    "key `{name}` is declared as `{here}` in `{first_tree}` too, with another \
                     initial value or scope"
                )
            } else {
                format!(
                    "key `{name}` is declared as `{here}` here and as `{there}` in `{first_tree}`"
                )
            }
        },
        || {
            "the agent has one key of a name; one of the tree's own has `\"scope\": \"tree\"`"
                .to_owned()
        },
    );
}

/// So many names are not compared with each one that is wrong.
const MANY: usize = 1_000;

/// A tree's name without its folder and its ending.
fn stem(name: &str) -> &str {
    without_ending(name.rsplit(['/', '\\']).next().unwrap_or(name))
}

/// A tree's name as others may call it.
fn without_ending(name: &str) -> &str {
    let json = name.strip_suffix(".json");
    json.or_else(|| name.strip_suffix(".bt")).unwrap_or(name)
}

/// Returns true if an agent is another one, or has it among its bases.
pub(super) fn is_or_is_below(agent: &Index<'_>, base: &Index<'_>) -> bool {
    let mut lineage = agent.agent.lineage();
    lineage.any(|agent| agent.full_name() == base.name())
}

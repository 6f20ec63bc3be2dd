//! The trees of an import, and the calls of one by another.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use bt_core::tree::asset::spec::{self, NodeSpec, check};

use super::super::models::{called, is_reserved, key};
use super::super::scope::{Entry, ScopeId};
use super::super::xml::Element;
use super::{Builder, Built, Current, MAX_NODES, Skip};
use crate::error::Error;
use crate::import::names;

/// A tree that nothing calls.
pub(super) struct Root {
    file: usize,
    id: String,
    name: String,
}

/// The name of a tree that has none.
const UNNAMED: &str = "BehaviorTree";

fn id(tree: &Element) -> &str {
    tree.get("ID").unwrap_or(UNNAMED)
}

fn is_call(element: &Element) -> bool {
    ["SubTree", "SubTreePlus"].contains(&element.name.as_str())
}

impl<'f> Builder<'f> {
    /// The trees that nothing calls, and those that a file says are run.
    pub(super) fn entries(&mut self) -> Vec<Root> {
        let mut seen = BTreeSet::new();
        let mut all: Vec<(usize, &'f Element)> = Vec::new();
        for (file, tree) in self.files.trees() {
            match seen.insert((file, id(tree))) {
                true => all.push((file, tree)),
                false => {
                    let message = format!(
                        "the file has the tree `{}` twice; the engine takes the last",
                        id(tree)
                    );
                    self.lost(
                        &tree.place,
                        message,
                        "take one of them out, or give it another `ID`",
                    );
                }
            }
        }
        let called: BTreeSet<(usize, String)> = all
            .iter()
            .flat_map(|(file, tree)| self.called_by(*file, tree))
            .collect();
        let is_main = |file: usize, tree: &Element| {
            self.files.sources[file].root.get("main_tree_to_execute") == Some(id(tree))
        };
        all.retain(|(file, tree)| {
            is_main(*file, tree) || !called.contains(&(*file, id(tree).to_owned()))
        });
        self.named_roots(&all)
    }

    /// The trees that nothing has built: they call one another in a circle.
    pub(super) fn left(&mut self) -> Option<Root> {
        let left =
            |(file, tree): &(usize, &Element)| !self.seen.contains(&(*file, id(tree).to_owned()));
        let first = self.files.trees().find(left)?;
        self.named_roots(&[first]).pop()
    }

    fn named_roots(&mut self, all: &[(usize, &Element)]) -> Vec<Root> {
        let mut roots = Vec::new();
        for (file, tree) in all {
            let twins = all
                .iter()
                .filter(|(_, other)| id(other) == id(tree))
                .count();
            let name = match twins {
                1 => names::file(id(tree)),
                _ => names::file(&format!("{}_{}", self.files.sources[*file].stem, id(tree))),
            };
            roots.push(Root {
                file: *file,
                id: id(tree).to_owned(),
                name: self.names.take(&name) + ".json",
            });
        }
        roots
    }

    /// The trees that a tree calls.
    fn called_by(&self, file: usize, tree: &Element) -> Vec<(usize, String)> {
        let calls = tree.all().into_iter().filter(|element| is_call(element));
        let found = calls.filter_map(|call| self.files.tree(file, called(call)));
        found
            .map(|(file, tree)| (file, id(tree).to_owned()))
            .collect()
    }

    /// Builds a tree that nothing calls.
    pub(super) fn root(&mut self, root: Root) -> Result<(), Error> {
        let all = self.files.sources[root.file].root.named("BehaviorTree");
        let Some(tree) = all.filter(|tree| id(tree) == root.id).last() else {
            return Ok(());
        };
        let scope = self.scopes.root(&root.id);
        let built = self.built(
            root.file,
            tree,
            scope,
            Skip::to("the root of a tree", None),
            root.name,
        );
        self.built.push(built);
        match self.nodes > MAX_NODES {
            true => Err(Error::finding(format!(
                "{}: the trees have more than {MAX_NODES} nodes when each call of a sub-tree has its own copy\n  \
                 help: import fewer files at once, or let fewer sub-trees call sub-trees",
                tree.place
            ))),
            false => Ok(()),
        }
    }

    fn built(
        &mut self,
        file: usize,
        tree: &'f Element,
        scope: ScopeId,
        skip: Skip<'_>,
        name: String,
    ) -> Built {
        let source = (file, id(tree).to_owned());
        self.seen.insert(source.clone());
        let mut path = self.tree.path.clone();
        path.push(source.clone());
        let reactive = self.tree.reactive;
        let current = Current {
            file,
            scope: Some(scope),
            path,
            reactive,
            ..Current::default()
        };
        let outer = mem::replace(&mut self.tree, current);
        let spec = match tree.children.as_slice() {
            [top] => self.node(top, skip),
            children => {
                let message = format!(
                    "a tree has one node on top, and this one {}",
                    children.len()
                );
                self.refuse(
                    tree,
                    message,
                    "put a `Sequence` around them, or take the tree out",
                )
            }
        };
        let done = mem::replace(&mut self.tree, outer);
        Built {
            name,
            source,
            spec,
            comment: tree.comment.clone(),
            keys: done.keys,
            is_alone: done.is_alone,
        }
    }

    /// A call of a sub-tree.
    pub(super) fn sub_tree(&mut self, element: &'f Element, skip: Skip<'_>) -> NodeSpec {
        let name = called(element);
        let Some((file, tree)) = self.files.tree(self.tree.file, name) else {
            let message = format!("there is no tree `{name}`, or several files have one");
            return self.refuse(element, message, "include the file that has it");
        };
        if self
            .tree
            .path
            .iter()
            .any(|(at, id)| *at == file && id == name)
        {
            let message = format!("the tree `{name}` calls itself; the engine refuses it, too");
            return self.refuse(element, message, "let a decorator repeat it");
        }
        let (entries, all) = self.entries_of(element, name);
        let Some(from) = self.tree.scope else {
            return check("false");
        };
        let label = element
            .get("name")
            .filter(|label| !label.is_empty())
            .unwrap_or(name);
        let scope = self.scopes.call(&names::file(label), from, entries, all);
        let built = self.built(file, tree, scope, skip, String::new());
        // A tree that is not like another makes its caller so.
        let is_alone = built.is_alone || self.scopes.has_own(scope);
        self.tree.is_alone |= is_alone;
        let is_same = |known: &&Built| {
            known.source == built.source && known.keys == built.keys && known.spec == built.spec
        };
        let mut shared = self
            .shared
            .iter()
            .filter(|_| !is_alone)
            .filter_map(|at| self.built.get(*at));
        let name = match shared.find(is_same) {
            Some(known) => known.name.clone(),
            None => {
                let name = self.names.take(&names::file(&built.source.1)) + ".json";
                if !is_alone {
                    self.shared.push(self.built.len());
                }
                self.built.push(Built {
                    name: name.clone(),
                    ..built
                });
                name
            }
        };
        spec::sub_tree(&name)
    }

    /// The entries that a call gives to names, and true if all others are the caller's.
    fn entries_of(&mut self, element: &'f Element, name: &str) -> (BTreeMap<String, Entry>, bool) {
        let is_true = |name: &str| {
            element
                .get(name)
                .is_some_and(|value| ["true", "1"].contains(&value))
        };
        let all = is_true("_autoremap") || is_true("__autoremap") || is_true("__shared_blackboard");
        let format = self.files.sources[self.tree.file].root.get("BTCPP_format");
        let is_old =
            format.is_none_or(|format| format.starts_with('3')) && element.name == "SubTree";
        let mut entries = BTreeMap::new();
        for attribute in element
            .attributes
            .iter()
            .filter(|attribute| !is_reserved(&attribute.name))
        {
            let entry = match key(&attribute.name, &attribute.value) {
                Some(key) => Entry::Callers(key.to_owned()),
                None if is_old => {
                    let message = format!(
                        "`{}=\"{}\"` is read as version 3 has it: the caller's entry `{}`",
                        attribute.name, attribute.value, attribute.value
                    );
                    let help =
                        "write `BTCPP_format=\"4\"` in `<root>` where the text itself is meant";
                    self.note(&attribute.place, message, help);
                    Entry::Callers(attribute.value.clone())
                }
                None => Entry::Own(attribute.value.clone()),
            };
            entries.insert(attribute.name.clone(), entry);
        }
        let models: &'f super::Models = self.models;
        for (port, default) in models
            .sub_trees
            .get(name)
            .into_iter()
            .flatten()
            .filter(|_| !all)
        {
            let entry = match key(port, default) {
                Some(key) => Entry::Callers(key.to_owned()),
                None => Entry::Own(default.clone()),
            };
            entries.entry(port.clone()).or_insert(entry);
        }
        (entries, all)
    }
}

//! `btcpp.xml`: trees and the model of their leaves, as BehaviorTree.CPP 4 and Groot2 read them.
//!
//! The inverse of `import/btcpp`. Only what means the same there is written; for the rest there is an error that names
//! it. All trees of ours have one blackboard, so each call of a sub-tree shares all entries with its caller.

mod attached;
mod calls;
mod fault;
mod models;
mod script;
#[cfg(test)]
mod tests;
mod tree;

use std::collections::{BTreeMap, BTreeSet};

use bt_core::TreeAsset;
use bt_core::kinds::Params;
use bt_core::kinds::attached::{Attachments, DeclaredScope};

use super::members::methods;
use super::xml::{Element, is_readable};
use crate::catalogue::MethodEntry;
use crate::error::{Error, count};
use crate::files::Files;
use crate::layout::Agents;
use calls::Calls;
use models::model;
use tree::Writer;

/// The file: the trees with the leaves that they call, or without trees all leaves of the agents.
pub(super) fn file(
    agents: &Agents<'_>,
    wanted: Option<&str>,
    trees: &[TreeAsset],
) -> Result<Files, Error> {
    let mut warnings = Vec::new();
    let enabled: Vec<_> = trees.iter().map(TreeAsset::enabled).collect();
    for tree in trees.iter().filter(|tree| !tree.disabled().is_empty()) {
        warnings.push(format!(
            "{}: nodes that are disabled are not written: {}",
            tree.name(),
            count(tree.disabled().len(), "node")
        ));
    }
    let enabled: Vec<&TreeAsset> = enabled.iter().map(|tree| &**tree).collect();
    let mut problems = Vec::new();
    let ids = ids(&enabled, &mut problems);
    problems.extend(circles(&enabled));
    let wanted = wanted.map(|wanted| agents.find(wanted)).transpose()?;
    let mut found: BTreeMap<&str, &MethodEntry> = BTreeMap::new();
    let mut elements = Vec::new();
    for tree in &enabled {
        let agent = match (wanted, tree.agent()) {
            (Some(agent), _) => agent,
            (None, Some(name)) => agents.find(name)?,
            (None, None) => {
                return Err(Error::finding(format!(
                    "{}: it names no agent: write `agent_name` at its root, or choose one with `--agent`",
                    tree.name()
                )));
            }
        };
        let members = methods(agents, agent);
        let methods = members.iter().flat_map(|member| {
            let names = member.aliases.iter().copied();
            names
                .chain([member.entry.item.name.as_str()])
                .map(|name| (name, member.entry))
        });
        let mut calls = Calls {
            methods: methods.collect(),
            called: BTreeSet::new(),
        };
        let mut writer = Writer {
            tree,
            calls: &mut calls,
            ids: &ids,
            problems: Vec::new(),
            reads_again: false,
        };
        elements.push(element(&mut writer));
        if writer.reads_again {
            warnings.push(format!(
                "{}: a count that comes from a key is read again while its node runs in BehaviorTree.CPP, and on entry here",
                tree.name()
            ));
        }
        problems.append(&mut writer.problems);
        for name in &calls.called {
            add(&mut found, calls.methods[name], &mut warnings);
        }
    }
    if !problems.is_empty() {
        return Err(Error::findings(problems));
    }
    if trees.is_empty() {
        for agent in agents
            .all()
            .filter(|agent| wanted.is_none_or(|wanted| std::ptr::eq(wanted, *agent)))
        {
            for member in methods(agents, agent) {
                add(&mut found, member.entry, &mut warnings);
            }
        }
    }
    let mut models = Vec::new();
    for method in found.values() {
        match model(method) {
            Ok(element) => models.push(element),
            Err(fault) if trees.is_empty() => warnings.push(format!(
                "`{}` has no model: {}; {}",
                method.item.name, fault.message, fault.help
            )),
            Err(fault) => problems.push(format!(
                "the method `{}`: {}\n  help: {}",
                method.item.name, fault.message, fault.help
            )),
        }
    }
    if !problems.is_empty() {
        return Err(Error::findings(problems));
    }
    let counts = [count(elements.len(), "tree"), count(models.len(), "model")].join(", ");
    let mut root = Element::new(ROOT).with("BTCPP_format", "4");
    let called: BTreeSet<&str> = enabled.iter().flat_map(|tree| tree.runs()).collect();
    let mut tops = enabled
        .iter()
        .map(|tree| tree.name())
        .filter(|name| !called.contains(name));
    if let (Some(top), None) = (tops.next(), tops.next()) {
        root = root.with("main_tree_to_execute", ids[top]);
    }
    let models = Element::new("TreeNodesModel").holding(models);
    let cannot = |error| Error::failure(format!("cannot write as XML: {error}"));
    let text = root
        .holding(elements.into_iter().chain([models]))
        .document()
        .map_err(cannot)?;
    let mut files = Files::one("btcpp.xml", text, counts);
    files.warnings = warnings;
    Ok(files)
}

/// The outermost element.
const ROOT: &str = "root";

fn add<'a>(
    found: &mut BTreeMap<&'a str, &'a MethodEntry>,
    method: &'a MethodEntry,
    warnings: &mut Vec<String>,
) {
    let before = *found.entry(&method.item.name).or_insert(method);
    if (before.kind, &before.args) != (method.kind, &method.args) {
        warnings.push(format!(
            "several agents have a method `{}` with other arguments; the model is that of one: choose with `--agent`",
            method.item.name
        ));
    }
}

/// The `ID` of each tree, by its file.
fn ids<'a>(trees: &[&'a TreeAsset], problems: &mut Vec<String>) -> BTreeMap<&'a str, &'a str> {
    let mut ids = BTreeMap::new();
    let mut taken = BTreeMap::new();
    for tree in trees {
        let name = tree.name();
        let id = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        if let Some(other) = taken.insert(id, name) {
            problems.push(format!(
                "{name}: its tree would be called `{id}`, as that of {other}\n  help: rename one of the files"
            ));
        }
        if !is_readable(id) {
            problems.push(format!(
                "{}: XML has no place for a character of its name\n  help: rename the file",
                name.escape_debug()
            ));
        }
        ids.insert(name, id);
    }
    ids
}

/// Trees that call themselves, which the engine refuses: each once.
fn circles(trees: &[&TreeAsset]) -> Vec<String> {
    let runs: BTreeMap<&str, Vec<&str>> = trees
        .iter()
        .map(|tree| (tree.name(), tree.runs().collect()))
        .collect();
    let calls_itself = |name: &&&str| {
        let (mut seen, mut next) = (BTreeSet::new(), runs[**name].clone());
        while let Some(called) = next.pop() {
            if called == **name {
                return true;
            }
            if seen.insert(called) {
                next.extend(runs.get(called).into_iter().flatten());
            }
        }
        false
    };
    let named = |name: &&str| {
        format!(
            "{name}: the tree calls itself, which BehaviorTree.CPP refuses\n  help: let a decorator repeat it"
        )
    };
    runs.keys().filter(calls_itself).map(named).collect()
}

/// A tree, with what its root says.
fn element(writer: &mut Writer<'_, '_>) -> Element {
    let tree = writer.tree;
    let root = tree.root();
    let read = root.typed();
    let mut said = |message: &str, help: &str| {
        let (file, idx, kind) = (tree.name(), root.idx(), &root.kind);
        writer.problems.push(format!(
            "{file}: node {idx} (`{kind}`): {message}\n  help: {help}"
        ));
    };
    if let Some(Params::Root(root)) = &read.params {
        if root.every != Default::default() {
            said(
                "BehaviorTree.CPP's host decides how often a tree is ticked",
                "leave out `every`",
            );
        }
        for (key, declared) in &root.blackboard.0 {
            let is_shared = match declared.scope {
                None | Some(DeclaredScope::Agent) => true,
                Some(DeclaredScope::Tree | DeclaredScope::Global) => false,
            };
            if !is_shared || declared.initial.is_some() {
                said(
                    &format!(
                        "the key `{key}` is declared with an initial value, or not for the agent, which an entry of BehaviorTree.CPP is not"
                    ),
                    "declare it for the agent, and write its value in a `set`",
                );
            }
        }
    }
    let Attachments {
        guards,
        effects,
        services,
        events,
        blackboard: _,
        disabled,
    } = &read.attachments;
    let has_effects = effects.lists().iter().any(|(_, list)| !list.is_empty());
    if !guards.is_empty() || has_effects || !services.is_empty() || !events.is_empty() || *disabled
    {
        said(
            "a tree of BehaviorTree.CPP has no guards, effects, services or events, and cannot be disabled",
            "attach them to the node below the root",
        );
    }
    let children = root.children().to_vec();
    if children.is_empty() {
        said(
            "a tree of BehaviorTree.CPP has a node",
            "add one, or leave the tree out",
        );
    }
    let id = writer.ids.get(tree.name()).copied().unwrap_or_default();
    let top: Vec<Element> = children
        .into_iter()
        .map(|child| writer.node(child))
        .collect();
    Element::new("BehaviorTree")
        .with("ID", id)
        .behind(&root.comment)
        .holding(top)
}

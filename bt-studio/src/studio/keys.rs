//! The keys of the blackboard: those that a node sees, those of a tree, and those that a called tree takes.

use std::collections::BTreeMap;

use bt_core::TreeAsset;
use bt_core::registry::AgentInfo;
use bt_core::tree::asset::AssetNode;
use bt_core::tree::check::{Declared, Owner, declared};

use super::Studio;
use super::documents::path_of;
use crate::cards;
use crate::mentions::mentions;
use crate::protocol::{Failure, GetKeys, KeyInfo, ThingKind, TreeKeys};

impl Studio {
    /// The keys that a node sees.
    pub(super) fn keys(
        &self,
        path: &str,
        tree: &TreeAsset,
        node: &AssetNode,
        agent: Option<AgentInfo<'_>>,
    ) -> Vec<KeyInfo> {
        let mut keys: BTreeMap<String, KeyInfo> = BTreeMap::new();
        let mut at = Some(node);
        while let Some(node) = at {
            for key in declared(node) {
                let known = keys.entry(key.key.to_owned());
                known.or_insert_with(|| info(&key, Some(node.idx())));
            }
            at = node.parent().and_then(|parent| tree.node(parent));
        }
        for key in self.declared_elsewhere(path, tree.agent()) {
            keys.entry(key.name.clone()).or_insert(key);
        }
        let mut keys: Vec<KeyInfo> = keys.into_values().collect();
        add_uses(&mut keys, tree, agent);
        keys
    }

    /// All keys that a tree declares or uses.
    pub(super) fn tree_keys(&mut self, client: u64, asked: &GetKeys) -> Result<TreeKeys, Failure> {
        let registry = self.registry.clone();
        let document = self.document(client, asked.doc)?;
        let no_tree = || Failure::refused("the text is no tree: put it right first");
        let tree = document.tree.clone().ok_or_else(no_tree)?;
        let path = document.path.clone();
        let agent = tree.agent().zip(registry.as_deref());
        let agent = agent.and_then(|(name, registry)| registry.agent(name).ok());
        let mut keys: Vec<KeyInfo> = Vec::new();
        for node in tree.preorder() {
            keys.extend(declared(node).map(|key| info(&key, Some(node.idx()))));
        }
        for key in self.declared_elsewhere(&path, tree.agent()) {
            if !keys.iter().any(|known| known.name == key.name) {
                keys.push(key);
            }
        }
        add_uses(&mut keys, &tree, agent);
        keys.sort_by(|one, other| {
            (&one.name, one.declared_by).cmp(&(&other.name, other.declared_by))
        });
        Ok(TreeKeys { keys })
    }

    /// The keys that other trees of the same agent declare for all of them.
    fn declared_elsewhere(&self, path: &str, agent: Option<&str>) -> Vec<KeyInfo> {
        let mut keys = Vec::new();
        for (other, file) in self.current() {
            if other == path || file.head.agent() != agent {
                continue;
            }
            let shared = declared(file.head.root())
                .filter(|key| matches!(key.owner, Owner::AllTrees | Owner::AllAgents));
            keys.extend(shared.map(|key| info(&key, None)));
        }
        keys
    }

    /// The keys that the tree declares that a node runs.
    pub(super) fn takes(&self, node: &AssetNode) -> Vec<KeyInfo> {
        let Some(path) = cards::calls(node, &path_of(&self.files)) else {
            return Vec::new();
        };
        let called = self.current().remove(path.as_str());
        let keys = called.map(|file| {
            let root = file.head.root();
            declared(root).map(|key| info(&key, None)).collect()
        });
        keys.unwrap_or_default()
    }
}

fn info(key: &Declared<'_>, declared_by: Option<u32>) -> KeyInfo {
    let scope = match key.owner {
        Owner::AllTrees => "agent",
        Owner::AllAgents => "shared",
        Owner::OneTree => "tree",
        Owner::OneNode => "node",
    };
    KeyInfo {
        name: key.key.to_owned(),
        type_shown: key.ty.to_string(),
        scope: scope.to_owned(),
        declared_by,
        initial: key.initial.map(ToString::to_string),
        ..KeyInfo::default()
    }
}

/// Adds the nodes of a tree that write and read its keys, and the keys that nobody declares.
/// Of several declarations of a name a use counts for the nearest one above it.
fn add_uses(keys: &mut Vec<KeyInfo>, tree: &TreeAsset, agent: Option<AgentInfo<'_>>) {
    for mention in mentions(tree, agent) {
        if mention.kind != ThingKind::Key {
            continue;
        }
        let known = match nearest(keys, tree, &mention.name, mention.node) {
            Some(known) => known,
            None => {
                keys.push(KeyInfo {
                    name: mention.name.clone(),
                    scope: "undeclared".to_owned(),
                    ..KeyInfo::default()
                });
                keys.len() - 1
            }
        };
        let known = &mut keys[known];
        let lists = [
            (mention.reads, &mut known.read_by),
            (mention.sets, &mut known.written_by),
        ];
        for (does, list) in lists {
            if does && !list.contains(&mention.node) {
                list.push(mention.node);
            }
        }
    }
}

/// The place of the declaration of a name that a node sees.
fn nearest(keys: &[KeyInfo], tree: &TreeAsset, name: &str, node: u32) -> Option<usize> {
    let mut at = Some(node);
    while let Some(above) = at {
        let found = keys
            .iter()
            .position(|key| key.name == name && key.declared_by == Some(above));
        if found.is_some() {
            return found;
        }
        at = tree.node(above).and_then(AssetNode::parent);
    }
    let outside = |key: &KeyInfo| key.name == name && key.declared_by.is_none();
    keys.iter().position(outside)
}

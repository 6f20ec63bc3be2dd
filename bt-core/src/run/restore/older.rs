//! An agent of older trees: it runs what is known of those until its first poll, in which it moves.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::problems::Result;
use crate::Agent;
use crate::reload::Renamed;
use crate::run::save::settings::hash_text;
use crate::snapshot::RestoreError;
use crate::snapshot::format::{Described, Known, Parts};
use crate::tree::asset::TreeAsset;
use crate::tree::set::Trees;

/// The older trees, as far as they are known.
pub(super) struct Older<A: Agent> {
    pub(super) trees: Trees<A>,
    /// The names and numbers that trees and nodes have now: those that are given, and the numbers of trees of which
    /// nothing but those changed.
    pub(super) renamed: Renamed,
    /// Nodes whose exit methods are gone: their numbers, and what to say of each.
    pub(super) exits: Vec<(u32, String)>,
}

impl<A: Agent> Older<A> {
    /// None if the agent was saved without its nodes.
    pub(super) fn of(trees: &Trees<A>, parts: &Parts, given: &Renamed) -> Result<Option<Older<A>>> {
        if parts.nodes.is_empty() || parts.nodes.len() != parts.trees.len() {
            return Ok(None);
        }
        let mut assets = Vec::new();
        let mut hashes = Vec::new();
        for ((name, hash), nodes) in parts.trees.iter().zip(&parts.nodes) {
            assets.push(asset(name, nodes)?);
            hashes.push(number(hash)?);
        }
        // What they call, and what the host may load, has a number too.
        let others = trees.names().chain(given.trees());
        let mut others: BTreeSet<String> = others.map(str::to_owned).collect();
        others.extend(assets.iter().flat_map(TreeAsset::runs).map(str::to_owned));
        for (name, _) in &parts.trees {
            others.remove(name);
        }
        let agent = trees.0.agent;
        assets.extend(
            others
                .iter()
                .map(|name| TreeAsset::new(name.as_str(), agent)),
        );
        let kept: Vec<&str> = parts.latched.iter().map(|event| &*event.name).collect();
        let built = trees.described(&assets.into(), &hashes, &kept);
        let built = built.map_err(|error| RestoreError::malformed(error.to_string()))?;
        Ok(Some(Older {
            renamed: renamed(trees, parts, given),
            exits: exits(&built, parts),
            trees: built,
        }))
    }
}

fn number(hash: &str) -> Result<u64> {
    let number = u64::from_str_radix(hash, 16);
    number.map_err(|_| RestoreError::malformed(format!("`{hash}` is no hash of a tree")))
}

/// A tree as far as it was described.
fn asset(name: &str, nodes: &[Described]) -> Result<TreeAsset> {
    let mut file: Vec<Map<String, Value>> = Vec::new();
    // The nodes whose children follow, and how many do.
    let mut open: Vec<(usize, u32)> = Vec::new();
    for node in nodes {
        let (idx, kind, extra, children) = match node {
            Described::Known(node) => (node.idx, &node.kind, node.extra.clone(), node.children),
            Described::Other(idx, kind) => (*idx, kind, Map::new(), 0),
        };
        let number = file.len();
        let parent = open.last_mut().map(|(parent, left)| {
            *left = left.saturating_sub(1);
            *parent
        });
        if let Some(children) = parent.and_then(|parent| file[parent].get_mut("children"))
            && let Value::Array(children) = children
        {
            children.push(idx.into());
        }
        open.retain(|(_, left)| *left > 0);
        if children > 0 {
            open.push((number, children));
        }
        let said = json!({"idx": idx, "type": kind, "children": [], "extra": extra});
        if let Value::Object(said) = said {
            file.push(said);
        }
    }
    let text = json!({"nodes": file}).to_string();
    TreeAsset::from_json(name, &text).map_err(|error| {
        let why = format!("what it says of the nodes of `{name}` is no tree: {error}");
        RestoreError::malformed(why)
    })
}

pub(super) fn known(nodes: &[Described]) -> impl Iterator<Item = &Known> {
    nodes.iter().filter_map(|node| match node {
        Described::Known(node) => Some(&**node),
        Described::Other(..) => None,
    })
}

/// “A tree equal but for its numbers is matched by place”.
fn renamed<A: Agent>(trees: &Trees<A>, parts: &Parts, given: &Renamed) -> Renamed {
    let plan = &trees.0.plan;
    let mut renamed = given.clone();
    for ((name, _), nodes) in parts.trees.iter().zip(&parts.nodes) {
        let now = given.tree_now(name).unwrap_or(name);
        let Some(tree) = plan.by_name.get(now) else {
            continue;
        };
        if given.numbers(name).is_some() {
            continue;
        }
        let tree = &plan.trees[*tree as usize];
        let shape = known(nodes).next().and_then(|root| root.shape.as_ref());
        if shape != Some(&hash_text(tree.shape)) {
            continue;
        }
        for node in known(nodes) {
            let place = node.place.unwrap_or(node.idx);
            let now = tree.root.saturating_add(place);
            if plan.nodes_of(tree).contains(&now) {
                renamed.node(name, node.idx, plan.info(now).idx);
            }
        }
    }
    renamed
}

/// “An exit whose method is gone is reported”.
fn exits<A: Agent>(trees: &Trees<A>, parts: &Parts) -> Vec<(u32, String)> {
    let plan = &trees.0.plan;
    let mut gone = Vec::new();
    for (tree, nodes) in plan.trees.iter().zip(&parts.nodes) {
        for (node, number) in nodes.iter().zip(tree.root..) {
            if let Described::Known(node) = node
                && let Some(exit) = &node.exit
                && !plan.node(number).exits
            {
                let exit = crate::text::name(exit);
                let why = format!("its exit method `{exit}` is gone: it is aborted without");
                gone.push((number, why));
            }
        }
    }
    gone
}

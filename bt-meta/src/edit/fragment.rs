//! Nodes as a text of their own: copied, and made anew in any tree.

use std::collections::BTreeMap;

use crate::text::style::New;
use bt_core::TreeAsset;
use serde_json::{Map, Value, json};

use super::links::{Links, Origin};
use super::work::{Text, Work};

/// The keys of a node that say its place.
const PLACE: [&str; 3] = ["idx", "parent", "children"];

/// Nodes and what is below them, as a JSON text: `{"nodes": […]}`, as in a file. The first that no other lists as a
/// child are what was copied.
///
/// # Errors
/// If there is no such node, or it is the root.
pub fn fragment(tree: &TreeAsset, text: &str, nodes: &[u32]) -> Result<String, String> {
    let read = Text::read(tree.name(), text)?;
    let tops = Links::of(tree).tops(nodes)?;
    let mut all: Vec<Value> = Vec::new();
    for top in tops {
        for node in tree.below(top) {
            let mut value = read.json.value(read.part(node.idx())?);
            if let (true, Some(map)) = (node.idx() == top, value.as_object_mut()) {
                map.remove("parent");
            }
            all.push(value);
        }
    }
    Ok(format!("{:#}", json!({"nodes": all})))
}

/// Makes nodes of a text; those of a whole tree are taken without its root.
pub(super) fn paste(
    work: &mut Work<'_, '_>,
    parent: u32,
    at: Option<u32>,
    text: &str,
    keep: bool,
) -> Result<(), String> {
    work.links.find(parent)?;
    let read: Value = serde_json::from_str(text)
        .map_err(|error| format!("what is pasted is not JSON: {error}; copy nodes first"))?;
    let tops = graft(work, &read, keep)?;
    for top in &tops {
        work.links.show(*top);
    }
    work.links.put(&tops, parent, at)
}

/// Makes nodes of a value; those that are below none of them. With `keep` they have their own numbers if all are free.
fn graft(work: &mut Work<'_, '_>, read: &Value, keep: bool) -> Result<Vec<u32>, String> {
    let wrong = |why: &str| {
        format!(
            "what is pasted are no nodes: {why}; expected an object with `nodes`, as `doc.fragment` gives it"
        )
    };
    let list = read["nodes"]
        .as_array()
        .ok_or_else(|| wrong("there is no list `nodes`"))?;
    let mut nodes: BTreeMap<u32, &Map<String, Value>> = BTreeMap::new();
    let mut order = Vec::new();
    let mut below: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let number = |value: &Value| value.as_u64().and_then(|idx| u32::try_from(idx).ok());
    for node in list {
        let map = node.as_object().ok_or_else(|| wrong("one is no object"))?;
        let idx = number(&node["idx"]).ok_or_else(|| wrong("one has no `idx`"))?;
        if !node["type"].is_string() {
            return Err(wrong(&format!("node {idx} has no `type`")));
        }
        let children = node["children"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        let children: Option<Vec<u32>> = children.iter().map(number).collect();
        let children =
            children.ok_or_else(|| wrong(&format!("a child of node {idx} is no number")))?;
        if nodes.insert(idx, map).is_some() {
            return Err(wrong(&format!("two are called {idx}")));
        }
        below.insert(idx, children);
        order.push(idx);
    }
    let mut parents: BTreeMap<u32, u32> = BTreeMap::new();
    for (idx, children) in &below {
        for child in children {
            if !nodes.contains_key(child) {
                return Err(wrong(&format!(
                    "child {child} of node {idx} is not among them"
                )));
            }
            if parents.insert(*child, *idx).is_some() {
                return Err(wrong(&format!("node {child} is the child of two")));
            }
        }
    }
    let is_root = |idx: &u32| {
        nodes.get(idx).is_some_and(|node| {
            bt_core::tree::asset::NodeData::new(node["type"].as_str().unwrap_or_default())
                .typed()
                .params
                .is_some_and(|params| params.kind().about().group == bt_core::kinds::Group::Root)
        })
    };
    let mut tops: Vec<u32> = Vec::new();
    for idx in order.iter().filter(|idx| !parents.contains_key(idx)) {
        match is_root(idx) {
            true => tops.extend(&below[idx]),
            false => tops.push(*idx),
        }
    }
    let is_kept = keep && !nodes.keys().any(|idx| work.links.has(*idx));
    let add = |work: &mut Work<'_, '_>, idx: u32| {
        let origin = said(nodes[&idx]);
        match is_kept {
            true => work.links.add_as(idx, origin),
            false => work.links.add(origin),
        }
    };
    let mut made = Vec::new();
    let mut count = 0;
    for top in tops {
        let own = add(work, top)?;
        made.push(own);
        let mut next = vec![(top, own)];
        while let Some((of, own)) = next.pop() {
            count += 1;
            for child in &below[&of] {
                let new = add(work, *child)?;
                work.links.put(&[new], own, None)?;
                next.push((*child, new));
            }
        }
    }
    let roots = order.iter().filter(|idx| is_root(idx)).count();
    match (made.is_empty(), count + roots == nodes.len()) {
        (true, _) => Err(wrong("there is none")),
        (_, false) => Err(wrong("some are below themselves")),
        (false, true) => Ok(made),
    }
}

/// The content of a node, but for its place.
pub(super) fn said(node: &Map<String, Value>) -> Origin {
    let keys = node
        .iter()
        .filter(|(key, _)| !PLACE.contains(&key.as_str()));
    Origin::New(
        keys.map(|(key, value)| (key.clone(), New::from(value)))
            .collect(),
    )
}

//! Nodes made, removed, moved and changed.

use crate::text::style::{New, quoted};
use bt_core::kinds::{Kind, node_kinds};
use bt_core::registry::schema::fields;
use serde_json::{Map, Value};

use super::links::Origin;
use super::weights::{self, Each};
use super::work::{Work, number};

type Extra = Map<String, Value>;

/// The key for the name of what nodes of a kind call.
pub(super) fn name_key(kind: &str) -> Option<String> {
    let kind = node_kinds().into_iter().find(|entry| entry.name == kind)?;
    let keys = fields(&kind.params)?.keys();
    let mut names = keys.filter(|key| key.ends_with("_name") || *key == "event");
    names.next().cloned()
}

/// The content of a new node of a kind.
pub(super) fn said(
    kind: &str,
    name: Option<&str>,
    extra: Option<&Extra>,
) -> Result<Origin, String> {
    let mut all = extra.cloned().unwrap_or_default();
    if let Some(name) = name {
        let key = name_key(kind).ok_or_else(|| {
            format!("a node of kind `{kind}` calls nothing by name: leave out `name`")
        })?;
        all.insert(key, name.into());
    }
    let mut said = vec![("type".to_owned(), New::Raw(quoted(kind)))];
    if !all.is_empty() {
        said.push(("extra".to_owned(), New::from(&Value::Object(all))));
    }
    Ok(Origin::New(said))
}

pub(super) fn insert(
    work: &mut Work<'_, '_>,
    parent: u32,
    at: Option<u32>,
    kind: &str,
    name: Option<&str>,
    extra: Option<&Extra>,
) -> Result<(), String> {
    work.links.find(parent)?;
    let idx = work.links.add(said(kind, name, extra)?)?;
    work.links.show(idx);
    work.links.put(&[idx], parent, at)
}

pub(super) fn wrap(
    work: &mut Work<'_, '_>,
    nodes: &[u32],
    kind: &str,
    extra: Option<&Extra>,
) -> Result<(), String> {
    let mut nodes = work.links.tops(nodes)?;
    nodes.sort_by_key(|idx| work.links.place(*idx));
    let first = nodes[0];
    let parent = work.links.parent(first);
    let at = work.links.place(first);
    let siblings = parent
        .map(|parent| work.links.children(parent))
        .unwrap_or_default();
    if siblings.get(at..at + nodes.len()) != Some(&nodes) {
        return Err("only nodes that are next to each other below one node can be wrapped: move them together first".to_owned());
    }
    let idx = work.links.add(said(kind, None, extra)?)?;
    work.links.show(idx);
    work.links.replace(idx, first);
    work.links.put(&nodes, idx, None)?;
    let at = u32::try_from(at).ok();
    work.links.put(&[idx], parent.unwrap_or_default(), at)
}

pub(super) fn remove(work: &mut Work<'_, '_>, nodes: &[u32], keep: bool) -> Result<(), String> {
    if !keep {
        for idx in work.links.tops(nodes)? {
            work.links.remove(idx);
        }
        return Ok(());
    }
    for idx in nodes {
        work.links.find_below(*idx)?;
        work.links.dissolve(*idx)?;
    }
    Ok(())
}

pub(super) fn move_to(
    work: &mut Work<'_, '_>,
    nodes: &[u32],
    parent: u32,
    at: Option<u32>,
) -> Result<(), String> {
    let nodes = work.links.tops(nodes)?;
    work.links.find(parent)?;
    if let Some(idx) = nodes.iter().find(|idx| work.links.is_in(parent, **idx)) {
        return Err(match *idx == parent {
            true => format!("node {idx} cannot go below itself"),
            false => format!("node {idx} cannot go below node {parent}, which is below it"),
        });
    }
    work.links.put(&nodes, parent, at)
}

pub(super) fn duplicate(work: &mut Work<'_, '_>, nodes: &[u32]) -> Result<(), String> {
    for idx in work.links.tops(nodes)? {
        let parent = work.links.parent(idx).unwrap_or_default();
        let at = u32::try_from(work.links.place(idx) + 1).ok();
        let top = copy(work, idx)?;
        work.links.show(top);
        work.links.put(&[top], parent, at)?;
    }
    Ok(())
}

/// Copies a node and what is below it.
fn copy(work: &mut Work<'_, '_>, idx: u32) -> Result<u32, String> {
    let top = work.links.add(Origin::Copy(idx))?;
    let mut next = vec![(idx, top)];
    while let Some((of, copy)) = next.pop() {
        for child in work.links.children(of) {
            let own = work.links.add(Origin::Copy(child))?;
            work.links.put(&[own], copy, None)?;
            next.push((child, own));
        }
    }
    Ok(top)
}

pub(super) fn kind(
    work: &mut Work<'_, '_>,
    idx: u32,
    kind: &str,
    name: Option<&str>,
) -> Result<(), String> {
    work.links.find_below(idx)?;
    let (text, part) = (work.text, work.text.part(idx)?);
    let json = &text.json;
    work.put(part, &["type".to_owned()], New::Raw(quoted(kind)))?;
    let (old, new) = (
        text.tree.node(idx).and_then(|node| Kind::named(&node.kind)),
        Kind::named(kind),
    );
    let extra = json.get(part, "extra");
    let keys = extra.map(|extra| json.part(extra).children.iter());
    for key in keys.into_iter().flatten() {
        let named = json.key(*key).unwrap_or_default();
        // What neither kind knows is somebody's own.
        let is_old = old.is_some_and(|kind| kind.has_key(&named));
        if is_old && new.is_some_and(|kind| !kind.has_key(&named)) {
            work.edits.remove(*key);
        }
    }
    if let Some(name) = name {
        let key = name_key(kind).ok_or_else(|| {
            format!("a node of kind `{kind}` calls nothing by name: leave out `name`")
        })?;
        work.put(part, &["extra".to_owned(), key], New::Raw(quoted(name)))?;
    }
    let each = Each::of(kind);
    if let Some(each) = each.filter(|_| each != old.and_then(|old| Each::of(old.name()))) {
        let children = work.links.children(idx);
        weights::begin(work, each, part, &children);
    }
    Ok(())
}

pub(super) fn renumber(work: &mut Work<'_, '_>) {
    let text = work.text;
    let json = &text.json;
    let new: std::collections::BTreeMap<u32, u32> = text
        .tree
        .preorder()
        .map(|node| node.idx())
        .zip(0..)
        .collect();
    for node in text.tree.nodes() {
        let Ok(part) = text.part(node.idx()) else {
            continue;
        };
        let children = json.get(part, "children");
        let items = children.map(|children| json.part(children).children.as_slice());
        let items = items
            .unwrap_or_default()
            .iter()
            .copied()
            .zip(node.children());
        let own = json.get(part, "idx").zip(Some(node.idx()));
        let parent = json.get(part, "parent").zip(node.parent());
        let all = items.map(|(id, idx)| (id, *idx)).chain(own).chain(parent);
        for (id, idx) in all {
            if let Some(to) = new.get(&idx).filter(|to| **to != idx) {
                work.edits.replace(id, number(*to));
            }
        }
    }
}

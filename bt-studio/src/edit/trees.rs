//! Parts of a tree that become trees, and trees that become parts of one.

use bt_core::kinds::{Kind, Use};
use bt_core::tree::asset::NodeData;
use serde_json::{Map, Value, json};

use super::Around;
use super::fragment::{fragment, paste};
use super::nodes::said;
use super::work::Work;

/// Makes a tree of a node and what is below it; a call of it takes its place. The text of the new tree.
pub(super) fn extract(work: &mut Work<'_, '_>, idx: u32, name: &str) -> Result<String, String> {
    work.links.find_below(idx)?;
    let tree = &work.text.tree;
    let part = fragment(tree, work.text.json.text, &[idx])?;
    let agent = tree.agent().unwrap_or_default();
    let new = bt_core::TreeAsset::new(name, agent).to_json();
    let text = super::work::Text::read(name, &new)?;
    let mut below = Work::of(&text);
    paste(&mut below, text.tree.root().idx(), None, &part)?;
    let new = crate::text::splices::apply(&new, &below.splices());
    let new = renumbered(name, &new)?;
    let parent = work.links.parent(idx).unwrap_or_default();
    let at = u32::try_from(work.links.place(idx)).ok();
    let caller = caller()?;
    let call = work.links.add(said(&caller, Some(name), None)?)?;
    work.links.show(call);
    work.links.stand_for(call, idx);
    work.links.remove(idx);
    work.links.put(&[call], parent, at)?;
    Ok(new)
}

/// A text with its nodes numbered from 0.
fn renumbered(name: &str, text: &str) -> Result<String, String> {
    let read = super::work::Text::read(name, text)?;
    let mut work = Work::of(&read);
    super::nodes::renumber(&mut work);
    Ok(crate::text::splices::apply(text, &work.splices()))
}

/// The kind whose nodes run a tree.
fn caller() -> Result<String, String> {
    let group = bt_core::kinds::Group::Leaf(bt_core::kinds::Leaf::Tree);
    let kind = Kind::ALL.iter().find(|kind| kind.about().group == group);
    kind.map(|kind| kind.name().to_owned())
        .ok_or_else(|| "no kind runs a tree".to_owned())
}

/// Puts the nodes of a tree in the place of a call of it.
pub(super) fn inline(work: &mut Work<'_, '_>, idx: u32, around: &dyn Around) -> Result<(), String> {
    work.links.find_below(idx)?;
    let tree = &work.text.tree;
    let node = tree
        .node(idx)
        .ok_or_else(|| format!("there is no node {idx}"))?;
    let (mut name, mut hands) = (None, false);
    let bare = NodeData::new(node.kind.as_str());
    let attached = node.typed().attachments != bare.typed().attachments;
    node.uses(&mut |_, used| {
        if let Use::Tree(called) = used {
            name = called.named().map(str::to_owned);
        }
    });
    hands |= node
        .extra
        .get("args")
        .is_some_and(|args| args.as_object().is_some_and(|args| !args.is_empty()));
    let name = name.ok_or_else(|| format!("node {idx} runs no tree that is known by name"))?;
    let called = around
        .tree(&name)
        .ok_or_else(|| format!("there is no tree `{name}`"))?;
    if called.name() == tree.name() {
        return Err(format!("`{name}` is this tree itself"));
    }
    let root = called.root();
    let [top] = root.children() else {
        return Err(format!("the root of `{name}` has not one child"));
    };
    if hands {
        return Err(format!(
            "node {idx} hands values to keys of `{name}`: write them to keys of this tree first, and take `args` out"
        ));
    }
    let declared = root.extra.get("blackboard").and_then(Value::as_object);
    if declared.is_some_and(|keys| !keys.is_empty()) {
        return Err(format!(
            "`{name}` declares keys of its own, which this tree may not have: declare them here first, and take them out there"
        ));
    }
    let nodes = called.below(*top).map(|node| {
        let mut map = Map::new();
        map.insert("idx".to_owned(), node.idx().into());
        map.insert("type".to_owned(), node.kind.as_str().into());
        map.insert("children".to_owned(), node.children().into());
        map.insert("comment".to_owned(), node.comment.as_str().into());
        map.insert("color".to_owned(), node.color.into());
        map.insert("is_collapsed".to_owned(), node.is_collapsed.into());
        map.insert("extra".to_owned(), Value::Object(node.extra.clone()));
        map.extend(node.others.clone());
        Value::Object(map)
    });
    let nodes: Vec<Value> = nodes.collect();
    if attached {
        return Err(format!(
            "node {idx} has guards, effects or other attachments: move them to the tree that it runs first"
        ));
    }
    let parent = work.links.parent(idx).unwrap_or_default();
    let at = u32::try_from(work.links.place(idx)).ok();
    work.links.remove(idx);
    paste(work, parent, at, &json!({"nodes": nodes}).to_string())?;
    for top in work.links.created() {
        work.links.stand_for(top, idx);
    }
    Ok(())
}

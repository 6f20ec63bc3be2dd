//! Parts of a tree that become trees.
//!
//! What is attached to the node stays with whoever calls the new tree: a guard is evaluated among its siblings, an
//! effect belongs to the place. Keys that only this tree sees are handed over.

use std::collections::{BTreeMap, BTreeSet};

use crate::text::splices::apply;
use bt_core::TreeAsset;
use bt_core::kinds::Kind;
use serde_json::{Map, Value, json};

use super::Around;
use super::fragment::{fragment, paste};
use super::nodes::said;
use super::work::Work;
use crate::mentions::{Mention, Part, ThingKind};

pub(super) type Extra = Map<String, Value>;

/// The things that are attached to a node, and to nothing below it.
pub(super) const ATTACHED: [&str; 4] = ["guards", "effects", "services", "events"];

/// The parts of a node that belong to the place where it stands.
const OF_THE_PLACE: [&str; 5] = ["guards", "effects", "services", "events", "disabled"];

/// The place where a node declares keys.
pub(super) const DECLARED: &str = "blackboard";

/// Makes a tree of a node and what is below it; a call of it takes its place. The text of the new tree.
pub(super) fn extract(
    work: &mut Work<'_, '_>,
    idx: u32,
    name: &str,
    around: &dyn Around,
) -> Result<String, String> {
    work.links.find_below(idx)?;
    let tree = &work.text.tree;
    let handed = hand_over(tree, idx, &around.mentions(tree))?;
    let part = fragment(tree, work.text.json.text, &[idx])?;
    let mut part: Value = serde_json::from_str(&part).map_err(|error| error.to_string())?;
    let mut call = Extra::new();
    let extra = part.pointer_mut("/nodes/0/extra");
    if let Some(extra) = extra.and_then(Value::as_object_mut) {
        for key in OF_THE_PLACE {
            call.extend(extra.remove(key).map(|value| (key.to_owned(), value)));
        }
        extra.remove(DECLARED);
    }
    for (key, value) in [(DECLARED, handed.stay), ("args", handed.args)] {
        if !value.is_empty() {
            call.insert(key.to_owned(), Value::Object(value));
        }
    }
    let agent = tree.agent().unwrap_or_default();
    let mut new = TreeAsset::new(name, agent);
    let root = new.root().idx();
    if let Some(root) = new.node_mut(root).filter(|_| !handed.declared.is_empty()) {
        let declared = Value::Object(handed.declared);
        root.extra.insert(DECLARED.to_owned(), declared);
    }
    let new = new.to_json();
    let text = super::work::Text::read(name, &new)?;
    let mut below = Work::of(&text);
    let part = part.to_string();
    paste(&mut below, text.tree.root().idx(), None, &part, false)?;
    let new = apply(&new, &below.splices());
    let new = renumbered(name, &new)?;
    let parent = work.links.parent(idx).unwrap_or_default();
    let at = u32::try_from(work.links.place(idx)).ok();
    let call = work.links.add(said(&caller()?, Some(name), Some(&call))?)?;
    work.links.show(call);
    work.links.replace(call, idx);
    work.links.remove(idx);
    work.links.put(&[call], parent, at)?;
    Ok(new)
}

/// The keys of a part that becomes a tree.
#[derive(Default)]
struct Handed {
    /// Those that the new tree declares.
    declared: Extra,
    /// Those that the caller hands over.
    args: Extra,
    /// Those of the node itself that stay with the caller.
    stay: Extra,
}

fn hand_over(tree: &TreeAsset, idx: u32, all: &[Mention]) -> Result<Handed, String> {
    let mut handed = Handed::default();
    let below: BTreeSet<u32> = tree.below(idx).map(|node| node.idx()).collect();
    let own = declared_at(tree, idx).cloned().unwrap_or_default();
    let is_attached = |mention: &Mention| mention.node == idx && is_attached(mention);
    for (key, declared) in own {
        let stays = all
            .iter()
            .any(|it| is_key(it) && it.name == key && is_attached(it) && !is_guard(it));
        match stays {
            true => handed.stay.insert(key, declared),
            false => handed.declared.insert(key, of_one_run(&declared, true)),
        };
    }
    let mut used: BTreeMap<&str, Option<u32>> = BTreeMap::new();
    for mention in all
        .iter()
        .filter(|it| is_key(it) && below.contains(&it.node))
    {
        if is_attached(mention) || is_inside(tree, idx, mention) {
            continue;
        }
        let sets = mention.sets.then_some(mention.node);
        let known = used.entry(mention.name.as_str()).or_default();
        *known = known.or(sets);
    }
    for (key, writer) in used {
        if handed.declared.contains_key(key) {
            continue;
        }
        let above = match handed.stay.get(key) {
            Some(declared) => Some((idx, declared)),
            None => declared_above(tree, idx, key),
        };
        let Some((at, declared)) = above else {
            continue;
        };
        let is_root = tree.root().idx() == at;
        // A key of the agent, or of all, is the same one everywhere: it is declared alike.
        if is_root && declared["scope"] != "tree" {
            handed.declared.insert(key.to_owned(), declared.clone());
            continue;
        }
        if let Some(writer) = writer {
            let of = match is_root {
                true => "a run of this tree".to_owned(),
                false => format!("node {at}"),
            };
            return Err(format!(
                "node {writer} may write key `{key}`, which belongs to {of}: a called tree cannot write it back before it ends; declare it \
                 at the root with scope `agent` first, or make a tree of a part that only reads it"
            ));
        }
        let given = json!({"arg_type": "blackboard", "arg_value": key});
        handed.args.insert(key.to_owned(), given);
        handed
            .declared
            .insert(key.to_owned(), of_one_run(declared, false));
    }
    Ok(handed)
}

/// Returns true if something is a key that is read or written: not one that is declared, or that a called
/// tree declares.
pub(super) fn is_key(mention: &Mention) -> bool {
    mention.kind == ThingKind::Key && mention.part != Part::Key
}

/// Returns true if it stands in what is attached to its node.
pub(super) fn is_attached(mention: &Mention) -> bool {
    attached_in(mention).is_some_and(|key| ATTACHED.contains(&key))
}

fn is_guard(mention: &Mention) -> bool {
    attached_in(mention) == Some(ATTACHED[0])
}

/// Under which key of its node's `extra` it stands.
fn attached_in(mention: &Mention) -> Option<&str> {
    let (_, below) = mention.pointer.split_once("/extra/")?;
    below.split('/').next()
}

/// Returns true if a key is declared by a node below another, where it is mentioned. Guards do not see their
/// own node's keys.
fn is_inside(tree: &TreeAsset, top: u32, mention: &Mention) -> bool {
    let mut at = mention.node;
    let mut sees = !is_guard(mention);
    while at != top {
        if sees && declared_at(tree, at).is_some_and(|keys| keys.contains_key(&mention.name)) {
            return true;
        }
        sees = true;
        match tree.node(at).and_then(|node| node.parent()) {
            Some(parent) => at = parent,
            None => return false,
        }
    }
    false
}

/// The keys that a node declares.
pub(super) fn declared_at(tree: &TreeAsset, idx: u32) -> Option<&Extra> {
    tree.node(idx)?.extra.get(DECLARED)?.as_object()
}

/// The declaration of a key that a node sees, but for its own, and the node that has it.
pub(super) fn declared_above<'t>(
    tree: &'t TreeAsset,
    idx: u32,
    key: &str,
) -> Option<(u32, &'t Value)> {
    let mut at = tree.node(idx)?.parent();
    while let Some(above) = at {
        if let Some(declared) = declared_at(tree, above).and_then(|keys| keys.get(key)) {
            return Some((above, declared));
        }
        at = tree.node(above)?.parent();
    }
    None
}

/// A declaration at the root whose key each run of the tree has for itself. One that is handed over begins with that.
fn of_one_run(declared: &Value, keeps_initial: bool) -> Value {
    let mut declared = declared.clone();
    if let Some(map) = declared.as_object_mut() {
        map.insert("scope".to_owned(), "tree".into());
        if !keeps_initial {
            map.remove("initial");
        }
    }
    declared
}

/// A text with its nodes numbered from 0.
fn renumbered(name: &str, text: &str) -> Result<String, String> {
    let read = super::work::Text::read(name, text)?;
    let mut work = Work::of(&read);
    super::nodes::renumber(&mut work);
    Ok(apply(text, &work.splices()))
}

/// The kind whose nodes run a tree.
fn caller() -> Result<String, String> {
    let group = bt_core::kinds::Group::Leaf(bt_core::kinds::Leaf::Tree);
    let kind = Kind::ALL.iter().find(|kind| kind.about().group == group);
    kind.map(|kind| kind.name().to_owned())
        .ok_or_else(|| "no kind runs a tree".to_owned())
}

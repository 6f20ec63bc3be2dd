//! The weights of children, which stay in step with them.

use bt_core::kinds::Kind;
use bt_meta::text::edits::Entry;
use bt_meta::text::json::{self, Id};
use bt_meta::text::style::New;

use super::work::Work;

/// The key in `extra` with a weight for each child.
const KEY: &str = "prob";

/// The place in a node.
const PLACE: [&str; 2] = ["extra", KEY];

fn one() -> New {
    New::Raw("1".to_owned())
}

/// Returns true if the nodes of a kind have weights.
pub(super) fn has(kind: &str) -> bool {
    Kind::named(kind).is_some_and(|kind| kind.has_key(KEY))
}

/// The list of a node's weights, if there is one for each child.
fn list(work: &Work<'_, '_>, idx: u32) -> Option<Id> {
    let json = &work.text.json;
    let node = work.text.tree.node(idx).filter(|node| has(&node.kind))?;
    let part = work.text.part(idx).ok()?;
    let list = json.get(json.get(part, PLACE[0])?, PLACE[1])?;
    let part = json.part(list);
    let fits = part.kind == json::Kind::Array && part.children.len() == node.children().len();
    fits.then_some(list)
}

/// The weight that a node has where it is.
fn weight(work: &Work<'_, '_>, child: u32) -> Option<Id> {
    let json = &work.text.json;
    let node = work.text.tree.node(child)?;
    let parent = node.parent()?;
    let list = list(work, parent)?;
    let siblings = work.text.tree.node(parent)?.children();
    let at = siblings.iter().position(|sibling| *sibling == child)?;
    json.part(list).children.get(at).copied()
}

/// Writes the weights of a node that gets other children.
pub(super) fn write(work: &mut Work<'_, '_>, idx: u32, part: Id, children: &[u32]) {
    let json = &work.text.json;
    let Some(list) = list(work, idx) else {
        let kind = work.text.tree.node(idx).map(|node| node.kind.as_str());
        if kind.is_some_and(has) {
            begin(work, part, children);
        }
        return;
    };
    let mut taken = std::collections::BTreeSet::new();
    let entries = children.iter().map(|child| {
        match weight(work, *child).or_else(|| weight(work, work.links.stood(*child))) {
            Some(own) if json.part(own).parent == Some(list) && taken.insert(own) => {
                Entry::Kept(own)
            }
            Some(other) => Entry::Item(New::Raw(json.raw(other).to_owned())),
            None => Entry::Item(one()),
        }
    });
    let entries: Vec<Entry> = entries.collect();
    *work.edits.list(list) = entries;
}

/// Writes a weight for each child where there is none yet.
pub(super) fn begin(work: &mut Work<'_, '_>, part: Id, children: &[u32]) {
    let json = &work.text.json;
    let list = json
        .get(part, PLACE[0])
        .and_then(|extra| json.get(extra, PLACE[1]));
    if list.is_none_or(|list| json.part(list).children.is_empty()) {
        let weights = children.iter().map(|_| one()).collect();
        // Where `extra` is no object, the file has another problem.
        _ = work.put(part, &PLACE.map(str::to_owned), New::Array(weights));
    }
}

/// Adds the weights of a new node.
pub(super) fn of_new(said: &[(String, New)], children: &[u32], entries: &mut Vec<(String, New)>) {
    let kind = said.iter().find(|(key, _)| key == "type");
    let is_weighted = matches!(kind, Some((_, New::Raw(kind))) if has(kind.trim_matches('"')));
    if !is_weighted || children.is_empty() {
        return;
    }
    let weights = || {
        (
            KEY.to_owned(),
            New::Array(children.iter().map(|_| one()).collect()),
        )
    };
    match entries.iter_mut().find(|(key, _)| key == PLACE[0]) {
        Some((_, New::Object(extra))) => {
            if !extra.iter().any(|(key, _)| key == KEY) {
                extra.push(weights());
            }
        }
        Some((_, New::Raw(_) | New::Array(_))) => {}
        None => entries.push((PLACE[0].to_owned(), New::Object(vec![weights()]))),
    }
}

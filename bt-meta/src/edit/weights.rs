//! Weights, scores and cases: a node's entries for each of its children, which stay in step with them.

use crate::text::edits::Entry;
use crate::text::json::{self, Id};
use crate::text::style::{New, quoted};
use bt_core::kinds::Kind;

use super::work::Work;

/// A list in `extra` with an item for each child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Each {
    Weights,
    Scores,
    /// The last child may have none: it is the default.
    Cases,
}

impl Each {
    const ALL: [Each; 3] = [Each::Weights, Each::Scores, Each::Cases];

    fn key(self) -> &'static str {
        match self {
            Each::Weights => "prob",
            Each::Scores => "scores",
            Each::Cases => "cases",
        }
    }

    /// The list that the nodes of a kind have.
    pub(super) fn of(kind: &str) -> Option<Each> {
        let kind = Kind::named(kind)?;
        Each::ALL.into_iter().find(|each| kind.has_key(each.key()))
    }

    fn place(self) -> [&'static str; 2] {
        ["extra", self.key()]
    }

    /// Returns true if a list of so many items is one for so many children.
    fn fits(self, items: usize, children: usize) -> bool {
        items == children || self == Each::Cases && items + 1 == children
    }

    /// The item of a child that has none yet, at a place from 0 on among so many; none of the default.
    fn fresh(self, at: usize, children: usize, taken: &[&str]) -> Option<New> {
        let raw = match self {
            Each::Weights => "1".to_owned(),
            Each::Scores => quoted("0"),
            Each::Cases if at + 1 == children => return None,
            Each::Cases => {
                let mut cases = (at + 1..).map(|number| quoted(&format!("case {number}")));
                cases.find(|case| !taken.contains(&case.as_str()))?
            }
        };
        Some(New::Raw(raw))
    }

    fn all_fresh(self, children: usize) -> New {
        let items = (0..children).filter_map(|at| self.fresh(at, children, &[]));
        New::Array(items.collect())
    }
}

/// The list of a node, if it fits its children.
fn list(work: &Work<'_, '_>, idx: u32) -> Option<(Each, Id)> {
    let json = &work.text.json;
    let node = work.text.tree.node(idx)?;
    let each = Each::of(&node.kind)?;
    let part = work.text.part(idx).ok()?;
    let list = json.get(json.get(part, "extra")?, each.key())?;
    let part = json.part(list);
    let fits =
        part.kind == json::Kind::Array && each.fits(part.children.len(), node.children().len());
    fits.then_some((each, list))
}

/// The item that a node has where it is, if it is one of such a list.
fn item(work: &Work<'_, '_>, child: u32, of: Each) -> Option<Id> {
    let json = &work.text.json;
    let node = work.text.tree.node(child)?;
    let parent = node.parent()?;
    let (each, list) = list(work, parent)?;
    let siblings = work.text.tree.node(parent)?.children();
    let at = siblings.iter().position(|sibling| *sibling == child)?;
    let found = json.part(list).children.get(at).copied();
    found.filter(|_| each == of)
}

/// Writes the list of a node that gets other children.
pub(super) fn write(work: &mut Work<'_, '_>, idx: u32, part: Id, children: &[u32]) {
    let json = &work.text.json;
    let Some((each, list)) = list(work, idx) else {
        let kind = work.text.tree.node(idx).map(|node| node.kind.as_str());
        if let Some(each) = kind.and_then(Each::of) {
            begin(work, each, part, children);
        }
        return;
    };
    let items = &json.part(list).children;
    let written: Vec<&str> = items.iter().map(|item| json.raw(*item)).collect();
    let mut taken = std::collections::BTreeSet::new();
    let entries = children.iter().enumerate().filter_map(|(at, child)| {
        let own = item(work, *child, each);
        match own.or_else(|| item(work, work.links.stood(*child), each)) {
            Some(own) if json.part(own).parent == Some(list) && taken.insert(own) => {
                Some(Entry::Kept(own))
            }
            Some(other) if each != Each::Cases => {
                Some(Entry::Item(New::Raw(json.raw(other).to_owned())))
            }
            // Two children have no equal cases.
            Some(_) | None => each.fresh(at, children.len(), &written).map(Entry::Item),
        }
    });
    let entries: Vec<Entry> = entries.collect();
    *work.edits.list(list) = entries;
}

/// Writes an item for each child where there is none yet.
pub(super) fn begin(work: &mut Work<'_, '_>, each: Each, part: Id, children: &[u32]) {
    let json = &work.text.json;
    let list = json
        .get(part, "extra")
        .and_then(|extra| json.get(extra, each.key()));
    if list.is_none_or(|list| json.part(list).children.is_empty()) {
        let place = each.place().map(str::to_owned);
        // Where `extra` is no object, the file has another problem.
        _ = work.put(part, &place, each.all_fresh(children.len()));
    }
}

/// Adds the list of a new node.
pub(super) fn of_new(said: &[(String, New)], children: &[u32], entries: &mut Vec<(String, New)>) {
    let kind = said.iter().find(|(key, _)| key == "type");
    let each = match kind {
        Some((_, New::Raw(kind))) => Each::of(kind.trim_matches('"')),
        Some((_, New::Array(_) | New::Object(_))) | None => None,
    };
    let Some(each) = each.filter(|_| !children.is_empty()) else {
        return;
    };
    let items = || (each.key().to_owned(), each.all_fresh(children.len()));
    match entries.iter_mut().find(|(key, _)| key == "extra") {
        Some((_, New::Object(extra))) => {
            match extra.iter_mut().find(|(key, _)| key == each.key()) {
                // What a new node begins with has no children yet.
                Some((_, New::Array(begun))) if begun.is_empty() => {
                    *begun = match each.all_fresh(children.len()) {
                        New::Array(items) => items,
                        New::Raw(_) | New::Object(_) => Vec::new(),
                    };
                }
                Some(_) => {}
                None => extra.push(items()),
            }
        }
        Some((_, New::Raw(_) | New::Array(_))) => {}
        None => entries.push(("extra".to_owned(), New::Object(vec![items()]))),
    }
}

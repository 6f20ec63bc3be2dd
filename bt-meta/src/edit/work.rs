//! One edit at work: a tree and its text, and what changes in both.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::text::edits::{Edits, Entry};
use crate::text::json::{Id, Json, Kind};
use crate::text::splices::Splice;
use crate::text::style::{New, Style, quoted};
use bt_core::TreeAsset;
use bt_core::tree::asset::WHITE;

use super::links::{Links, Origin};
use super::weights;

/// A tree and its text, as they are before an edit.
#[derive(Debug)]
pub(super) struct Text<'t> {
    pub(super) tree: Cow<'t, TreeAsset>,
    pub(super) json: Json<'t>,
    pub(super) style: Style,
    /// The places of the nodes in the text.
    parts: BTreeMap<u32, Id>,
    /// The list of them.
    nodes: Id,
}

impl<'t> Text<'t> {
    pub(super) fn read(name: &str, text: &'t str) -> Result<Text<'t>, String> {
        let tree = TreeAsset::from_json(name, text).map_err(|error| {
            let problem = error.problems().first();
            let why = problem.map_or("", |problem| problem.message());
            format!("the text is no tree, put it right first: {why}")
        })?;
        Text::of(Cow::Owned(tree), text)
    }

    /// A tree that was read from the text.
    pub(super) fn of(tree: Cow<'t, TreeAsset>, text: &'t str) -> Result<Text<'t>, String> {
        let json = Json::of(text);
        let nodes = json
            .find(json.root(), "/nodes")
            .ok_or("the text has no nodes")?;
        let list = &json.part(nodes).children;
        let parts = tree.nodes().iter().map(|node| node.idx());
        let parts = parts.zip(list.iter().copied()).collect();
        let style = Style::of(&json);
        Ok(Text {
            tree,
            json,
            style,
            parts,
            nodes,
        })
    }

    /// The object of a node.
    pub(super) fn part(&self, idx: u32) -> Result<Id, String> {
        let part = self.parts.get(&idx).copied();
        part.ok_or_else(|| format!("there is no node {idx}"))
    }
}

/// One edit at work.
#[derive(Debug)]
pub(super) struct Work<'r, 't> {
    pub(super) text: &'r Text<'t>,
    pub(super) edits: Edits<'r, 't>,
    pub(super) links: Links<'r>,
}

impl<'r, 't> Work<'r, 't> {
    pub(super) fn of(text: &'r Text<'t>) -> Work<'r, 't> {
        Work {
            text,
            edits: Edits::of(&text.json, &text.style),
            links: Links::of(&text.tree),
        }
    }

    /// Writes a value below another; objects and arrays that are missing on the way are made.
    pub(super) fn put(&mut self, from: Id, steps: &[String], value: New) -> Result<(), String> {
        let json = &self.text.json;
        let mut at = from;
        for (done, step) in steps.iter().enumerate() {
            if let Some(next) = json.step(at, step) {
                at = next;
                continue;
            }
            let part = json.part(at);
            let new = made(&steps[done + 1..], value);
            match part.kind {
                Kind::Object => self.edits.add(at, step, new),
                Kind::Array if step == "-" || *step == part.children.len().to_string() => {
                    self.edits.list(at).push(Entry::Item(new));
                }
                Kind::Array => {
                    let len = part.children.len();
                    return Err(format!(
                        "there is no item `{step}` among {len}: expected one of them, or `-` for a new last one"
                    ));
                }
                Kind::Scalar => {
                    return Err(format!(
                        "nothing can be below {}, which is neither an object nor an array",
                        short(json.raw(at))
                    ));
                }
            }
            return Ok(());
        }
        self.edits.replace(at, value);
        Ok(())
    }

    /// The changes of the text.
    pub(super) fn splices(mut self) -> Vec<Splice> {
        self.write_links();
        self.edits.splices()
    }

    /// Writes the links of nodes, and the nodes that are new.
    fn write_links(&mut self) {
        let (text, json) = (self.text, &self.text.json);
        for (idx, children) in self.links.changed_children() {
            let Ok(part) = text.part(idx) else { continue };
            weights::write(self, idx, part, &children);
            self.write_children(part, idx, &children);
        }
        for (idx, parent) in self.links.changed_parents() {
            let own = text
                .part(idx)
                .ok()
                .and_then(|part| json.get(part, "parent"));
            if let Some(own) = own {
                self.edits.replace(own, number(parent));
            }
        }
        let removed: BTreeSet<Id> = self
            .links
            .removed()
            .filter_map(|idx| text.part(idx).ok())
            .collect();
        let added: Vec<Entry> = (0..self.links.added.len())
            .map(|at| Entry::Item(self.added(at)))
            .collect();
        if !removed.is_empty() || !added.is_empty() {
            let list = self.edits.list(text.nodes);
            list.retain(|entry| !matches!(entry, Entry::Kept(id) if removed.contains(id)));
            list.extend(added);
        }
    }

    fn write_children(&mut self, part: Id, idx: u32, children: &[u32]) {
        let json = &self.text.json;
        let old = self
            .text
            .tree
            .node(idx)
            .map_or(&[][..], |node| node.children());
        let own = json
            .get(part, "children")
            .filter(|own| json.part(*own).kind == Kind::Array);
        let Some(own) = own else {
            let items = children.iter().copied().map(number).collect();
            // The node is an object: that it can be written is known.
            _ = self.put(part, &["children".to_owned()], New::Array(items));
            return;
        };
        let items = &json.part(own).children;
        let entry = |child: &u32| match old.iter().position(|old| old == child) {
            Some(at) => Entry::Kept(items[at]),
            None => Entry::Item(number(*child)),
        };
        *self.edits.list(own) = children.iter().map(entry).collect();
    }

    /// A new node as it is to be written.
    fn added(&self, at: usize) -> New {
        let added = &self.links.added[at];
        let (idx, parent) = (added.idx, self.links.parent(added.idx));
        let children = self.links.children(added.idx);
        match &added.origin {
            Origin::Copy(of) => self.copied(*of, idx, parent, &children),
            Origin::New(said) => {
                let mut entries = said.clone();
                weights::of_new(&said.clone(), &children, &mut entries);
                let children = children.into_iter().map(number).collect();
                entries.push(("idx".to_owned(), number(idx)));
                entries.push(("children".to_owned(), New::Array(children)));
                entries.extend(parent.map(|parent| ("parent".to_owned(), number(parent))));
                self.as_others(entries)
            }
        }
    }

    /// A copy of a node, written as it is, but for its place.
    fn copied(&self, of: u32, idx: u32, parent: Option<u32>, children: &[u32]) -> New {
        let json = &self.text.json;
        let Ok(part) = self.text.part(of) else {
            return New::Raw("null".to_owned());
        };
        let mut work = Work::of(self.text);
        work.write_children(part, of, children);
        for (key, value) in [("idx", Some(idx)), ("parent", parent)] {
            if let Some((own, value)) = json.get(part, key).zip(value) {
                work.edits.replace(own, number(value));
            }
        }
        New::Raw(work.edits.raw(part))
    }

    /// A node with its keys in the order that others have, and those that all of them have.
    fn as_others(&self, mut entries: Vec<(String, New)>) -> New {
        let json = &self.text.json;
        let root = self.text.tree.root().idx();
        let other = self.text.parts.iter().find(|(idx, _)| **idx != root);
        let other = other.or_else(|| self.text.parts.iter().next());
        let keys = other.map(|(_, part)| json.part(*part).children.iter());
        let keys: Vec<String> = keys
            .into_iter()
            .flatten()
            .filter_map(|id| json.key(*id))
            .collect();
        let usual = [
            ("color", New::Raw(WHITE.to_string())),
            ("comment", New::Raw(quoted(""))),
            ("extra", New::Object(Vec::new())),
            ("is_collapsed", New::Raw("false".to_owned())),
        ];
        for (key, value) in usual {
            let is_usual = keys.iter().any(|known| known == key);
            if is_usual && !entries.iter().any(|(known, _)| known == key) {
                entries.push((key.to_owned(), value));
            }
        }
        let place = |key: &str| keys.iter().position(|known| known == key);
        match keys.is_sorted() {
            true => entries.sort_by(|(a, _), (b, _)| a.cmp(b)),
            // What others do not have comes last, `parent` right behind `idx`.
            false => entries.sort_by_key(|(key, _)| {
                let instead = if key == "parent" { "idx" } else { key };
                place(key)
                    .map(|at| (at, 0))
                    .or(place(instead).map(|at| (at, 1)))
                    .unwrap_or((usize::MAX, 0))
            }),
        }
        New::Object(entries)
    }
}

/// A value with what is missing around it.
fn made(steps: &[String], value: New) -> New {
    steps
        .iter()
        .rev()
        .fold(value, |value, step| match step == "-" || step == "0" {
            true => New::Array(vec![value]),
            false => New::Object(vec![(step.clone(), value)]),
        })
}

/// A number as JSON has it.
pub(super) fn number(idx: u32) -> New {
    New::Raw(idx.to_string())
}

/// A text that may be long, for messages.
pub(super) fn short(text: &str) -> String {
    match text.char_indices().nth(60) {
        None => format!("`{text}`"),
        Some((at, _)) => format!("`{}…`", &text[..at]),
    }
}

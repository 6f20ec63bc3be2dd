//! The node kinds that trees are made of, and what any node takes.

use super::comment::{as_markdown, code};
use super::links::Marks;
use super::parts::{Level, Part};
use super::schema_words::fields;
use super::types::definition;
use crate::catalogue::{Catalogue, NodeKindEntry};
use crate::formats::ids::Ids;

const GROUPS: [(&str, &str); 4] = [
    ("root", "Root"),
    ("composite", "Composites"),
    ("decorator", "Decorators"),
    ("leaf", "Leaves"),
];

/// None where the catalogue has no node kinds.
pub(super) fn chapter(catalogue: &Catalogue, marks: &Marks, ids: &mut Ids) -> Option<Part> {
    if catalogue.node_kinds.is_empty() {
        return None;
    }
    let mut parts = Vec::new();
    for (group, title) in GROUPS {
        let kinds = catalogue.node_kinds.iter();
        let kinds = kinds.filter(|kind| kind.group == group);
        let kinds: Vec<Part> = kinds.map(|kind| of_kind(kind, marks, ids)).collect();
        if !kinds.is_empty() {
            parts.push(section(ids.of(&format!("nodes-{group}")), title, kinds));
        }
    }
    let shared = catalogue.defs.iter().filter_map(|(name, schema)| {
        let shown = name.strip_prefix("node.")?;
        Some(definition(name, shown, schema, marks))
    });
    let shared: Vec<Part> = shared.collect();
    if !shared.is_empty() {
        let mut section = section(ids.of("nodes-shared"), "What nodes share", shared);
        section.text = "Any node takes the `attachments` in its `extra`.".to_owned();
        parts.push(section);
    }
    Some(Part {
        id: ids.of("nodes"),
        level: Level::Chapter,
        title: "Node kinds".to_owned(),
        name: "Node kinds".to_owned(),
        text: "What trees are made of, whatever the agent. Keys are those of a node's `extra`."
            .to_owned(),
        parts,
        ..Part::default()
    })
}

fn section(id: String, title: &str, parts: Vec<Part>) -> Part {
    Part {
        id,
        level: Level::Section,
        title: title.to_owned(),
        name: title.to_owned(),
        parts,
        ..Part::default()
    }
}

fn of_kind(kind: &NodeKindEntry, marks: &Marks, ids: &mut Ids) -> Part {
    Part {
        id: ids.of(&format!("node.{}", kind.name)),
        level: Level::Item,
        title: code(&kind.name),
        name: kind.name.clone(),
        text: as_markdown(&kind.brief),
        table: fields(&kind.params, marks),
        facts: vec![("Children", children(kind))],
        parts: Vec::new(),
    }
}

fn children(kind: &NodeKindEntry) -> String {
    match (kind.child_min, kind.child_max) {
        (0, Some(0)) => "none".to_owned(),
        (least, Some(most)) if least == most => format!("{least}"),
        (least, Some(most)) => format!("{least} to {most}"),
        (least, None) => format!("{least} at least"),
    }
}

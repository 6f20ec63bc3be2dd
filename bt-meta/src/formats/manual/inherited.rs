//! The items that an agent has from its bases, by name.

use std::collections::BTreeMap;

use super::super::members;
use super::comment::{code, link};
use super::links::{Marks, Sort};
use super::parts::{Level, Part, Table};
use crate::catalogue::{AgentEntry, ItemEntry};
use crate::formats::ids::Ids;
use crate::layout::Agents;

/// The names that the bases add, each with a link to where it is described.
pub(super) fn inherited<'a>(
    agents: &Agents<'a>,
    agent: &'a AgentEntry,
    marks: &Marks,
    ids: &mut Ids,
) -> Option<Part> {
    let mut by_base: BTreeMap<&str, BTreeMap<Sort, Vec<String>>> = BTreeMap::new();
    let mut add = |from: &AgentEntry, sort, item: &ItemEntry| {
        if from.full_name != agent.full_name {
            let id = marks.member(from, sort, &item.name);
            let all = by_base.entry(agents.key(from)).or_default();
            all.entry(sort).or_default().push(link(&item.name, id));
        }
    };
    for method in members::methods(agents, agent) {
        add(method.from, Sort::Method, &method.entry.item);
    }
    for property in members::properties(agents, agent) {
        add(property.from, Sort::Property, &property.entry.item);
    }
    for event in members::events(agents, agent) {
        add(event.from, Sort::Event, &event.entry.item);
    }
    if by_base.is_empty() {
        return None;
    }
    let rows = by_base.into_iter().map(|(base, mut sorts)| {
        let mut cells = vec![code(base)];
        for sort in [Sort::Method, Sort::Property, Sort::Event] {
            cells.push(sorts.remove(&sort).unwrap_or_default().join(", "));
        }
        cells
    });
    let table = Table {
        head: &[
            "From",
            "Actions, conditions, decorators",
            "Properties",
            "Events",
        ],
        rows: rows.collect(),
    };
    let key = agents.key(agent);
    Some(Part {
        id: ids.of(&format!("{key}-inherited")),
        level: Level::Section,
        title: "Inherited".to_owned(),
        name: "Inherited".to_owned(),
        table,
        ..Part::default()
    })
}

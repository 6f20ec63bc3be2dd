//! `agents.md` and `agents.html`: what there is, for those who make trees.
//!
//! Both are one document of nested [`Part`]s, written in two ways. All text in it is Markdown: doc
//! comments as [`comment`] lets them through, names and values as code.

mod agents;
mod comment;
mod html;
mod inherited;
mod items;
mod kinds;
mod markdown;
mod schema_words;
mod types;
mod values;

use std::collections::BTreeMap;

use super::ids::Ids;
use super::one;
use crate::catalogue::{AgentEntry, Catalogue};
use crate::error::{Error, count};
use crate::files::Files;
use crate::layout::Agents;

/// The manual of some agents.
#[derive(Debug)]
pub(super) struct Manual {
    parts: Vec<Part>,
    counts: String,
}

/// Something with a heading: an agent, its actions, one of them.
#[derive(Debug, Default)]
struct Part {
    /// What a link to it ends with.
    id: String,
    level: Level,
    /// In Markdown, on one line.
    title: String,
    /// Its title without marks, for a table of contents.
    name: String,
    /// What it is, in Markdown.
    text: String,
    table: Table,
    /// What there is to say of it besides, each under a label: Markdown on one line.
    facts: Vec<(&'static str, String)>,
    parts: Vec<Part>,
}

/// How far inside a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum Level {
    /// An agent; the types; the node kinds.
    #[default]
    Chapter,
    /// An agent's actions.
    Section,
    /// Those of a category.
    Group,
    /// An action.
    Item,
}

/// Cells are Markdown on one line.
#[derive(Debug, Default)]
struct Table {
    head: &'static [&'static str],
    rows: Vec<Vec<String>>,
}

impl Table {
    /// The columns that are not empty in all rows.
    fn columns(&self) -> impl Iterator<Item = usize> {
        let is_used = |at: &usize| {
            self.rows
                .iter()
                .any(|row| row.get(*at).is_some_and(|cell| !cell.is_empty()))
        };
        (0..self.head.len()).filter(is_used)
    }
}

impl Manual {
    /// Of all agents, or of one and its bases.
    ///
    /// # Errors
    /// A failure for an agent that is not there.
    pub(super) fn of(
        catalogue: &Catalogue,
        agents: &Agents<'_>,
        wanted: Option<&str>,
    ) -> Result<Manual, Error> {
        let mut selected: Vec<&AgentEntry> = match wanted {
            Some(wanted) => agents.line(agents.find(wanted)?).collect(),
            None => agents.all().collect(),
        };
        selected.sort_by_key(|agent| agents.key(agent));
        let mut ids = Ids::default();
        let marks = Marks::of(catalogue, agents, &selected, &mut ids);
        let mut parts = agents::chapters(agents, &selected, &marks, &mut ids);
        parts.extend(types::chapter(catalogue, &marks));
        parts.extend(kinds::chapter(catalogue, &marks, &mut ids));
        Ok(Manual {
            parts,
            counts: count(selected.len(), "agent"),
        })
    }

    /// `agents.md`
    pub(super) fn markdown_file(&self) -> Files {
        one("agents.md", markdown::text(self), self.counts.clone())
    }

    /// `agents.html`
    pub(super) fn html_file(&self) -> Files {
        one("agents.html", html::text(self), self.counts.clone())
    }
}

/// Where links go to: made before what they stand in.
#[derive(Debug, Default)]
struct Marks {
    /// Of agents by full name.
    agents: BTreeMap<String, String>,
    /// Of an agent's members by its full name, their sort and their name.
    members: BTreeMap<(String, Sort, String), String>,
    /// Of definitions by name.
    types: BTreeMap<String, String>,
}

/// The sorts of members that have names of their own: a property may be called as an action is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    Method,
    Property,
    Event,
}

impl Marks {
    fn of(
        catalogue: &Catalogue,
        agents: &Agents<'_>,
        selected: &[&AgentEntry],
        ids: &mut Ids,
    ) -> Marks {
        let mut marks = Marks::default();
        for agent in selected {
            let key = agents.key(agent);
            marks.agents.insert(agent.full_name.clone(), ids.of(key));
            let methods = agent
                .methods
                .iter()
                .map(|method| (Sort::Method, &method.item));
            let properties = agent.properties.iter();
            let properties = properties.map(|property| (Sort::Property, &property.item));
            let events = agent.events.iter().map(|event| (Sort::Event, &event.item));
            for (sort, item) in methods.chain(properties).chain(events) {
                let id = match sort {
                    Sort::Method => ids.of(&format!("{key}.{}", item.name)),
                    Sort::Property => ids.of(&format!("{key}.property.{}", item.name)),
                    Sort::Event => ids.of(&format!("{key}.event.{}", item.name)),
                };
                let of = (agent.full_name.clone(), sort, item.name.clone());
                marks.members.insert(of, id);
            }
        }
        for name in catalogue.defs.keys() {
            marks
                .types
                .insert(name.clone(), ids.of(&format!("type.{name}")));
        }
        marks
    }

    fn member(&self, agent: &AgentEntry, sort: Sort, name: &str) -> Option<&String> {
        let of = (agent.full_name.clone(), sort, name.to_owned());
        self.members.get(&of)
    }
}

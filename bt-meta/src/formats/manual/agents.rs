//! A chapter for each agent: what it has of its own, by sort and category, and what it inherits.

use std::collections::BTreeMap;

use super::comment::{as_markdown, code, link, plain};
use super::inherited::inherited;
use super::items::{common, ends, followed, text, titled};
use super::links::{Marks, Sort};
use super::parts::{Level, Part, Table};
use super::values::{allowed, default_of, table, type_of};
use crate::catalogue::{AgentEntry, EventEntry, ItemEntry, MethodEntry, MethodKind, PropertyEntry};
use crate::formats::ids::Ids;
use crate::layout::Agents;

pub(super) fn chapters<'a>(
    agents: &Agents<'a>,
    selected: &[&'a AgentEntry],
    marks: &Marks,
    ids: &mut Ids,
) -> Vec<Part> {
    let each = selected.iter().map(|agent| {
        let mut writer = Writer {
            agents,
            agent,
            marks,
            ids,
        };
        writer.chapter(selected)
    });
    each.collect()
}

struct Writer<'w, 'a> {
    agents: &'w Agents<'a>,
    agent: &'a AgentEntry,
    marks: &'w Marks,
    ids: &'w mut Ids,
}

impl<'a> Writer<'_, 'a> {
    fn chapter(&mut self, selected: &[&'a AgentEntry]) -> Part {
        let (agent, key) = (self.agent, self.agents.key(self.agent));
        let of_kind = |kind| {
            let methods = agent.methods.iter();
            methods.filter(move |method| method.kind == kind)
        };
        let mut parts = Vec::new();
        for (title, kind) in [
            ("Actions", MethodKind::Action),
            ("Conditions", MethodKind::Condition),
            ("Queries", MethodKind::Query),
            ("Decorators", MethodKind::Decorator),
            ("Composites", MethodKind::Composite),
        ] {
            let items = of_kind(kind).map(|method| (&method.item, self.method(method)));
            let items = items.collect();
            parts.extend(self.section(title, items));
        }
        let properties = agent.properties.iter();
        let properties = properties.map(|entry| (&entry.item, self.property(entry)));
        let properties = properties.collect();
        parts.extend(self.section("Properties", properties));
        let events = agent.events.iter();
        let events = events.map(|entry| (&entry.item, self.event(entry)));
        let events = events.collect();
        parts.extend(self.section("Events", events));
        parts.extend(inherited(self.agents, agent, self.marks, self.ids));
        Part {
            id: self.marks.agents[&agent.full_name].clone(),
            level: Level::Chapter,
            title: titled(key, &agent.item),
            name: key.to_owned(),
            text: text(&agent.item),
            facts: self.facts(selected),
            parts,
            ..Part::default()
        }
    }

    fn facts(&self, selected: &[&'a AgentEntry]) -> Vec<(&'static str, String)> {
        let link_to = |agent: &AgentEntry| {
            let id = self.marks.agents.get(&agent.full_name);
            link(self.agents.key(agent), id)
        };
        let mut facts = Vec::new();
        let bases: Vec<String> = self.agents.line(self.agent).skip(1).map(link_to).collect();
        if !bases.is_empty() {
            facts.push(("Inherits from", bases.join(", then ")));
        }
        let derived = selected
            .iter()
            .filter(|other| other.base.as_ref() == Some(&self.agent.full_name));
        let derived: Vec<String> = derived.map(|agent| link_to(agent)).collect();
        if !derived.is_empty() {
            facts.push(("Inherited by", derived.join(", ")));
        }
        if self.agent.full_name != self.agents.key(self.agent) {
            facts.push(("Full name", code(&self.agent.full_name)));
        }
        if self.agent.fallback.is_some() {
            let words = "It answers for actions that nobody registers, too";
            facts.push(("Fallback", words.to_owned()));
        }
        common(&self.agent.item, &mut facts);
        facts
    }

    /// The items of one sort, those of a category together.
    fn section(&mut self, title: &'static str, mut items: Vec<(&ItemEntry, Part)>) -> Option<Part> {
        if items.is_empty() {
            return None;
        }
        items.sort_by_key(|(item, _)| &item.name);
        let key = self.agents.key(self.agent);
        let id = self.ids.of(&format!("{key}-{}", title.to_lowercase()));
        let mut groups: BTreeMap<&str, Vec<Part>> = BTreeMap::new();
        for (item, part) in items {
            let category = item.category.as_deref().unwrap_or_default();
            groups.entry(category).or_default().push(part);
        }
        let mut parts = Vec::new();
        for (category, items) in groups {
            if category.is_empty() {
                parts.extend(items);
                continue;
            }
            parts.push(Part {
                id: self.ids.of(&format!("{id}-{category}")),
                level: Level::Group,
                title: plain(category),
                name: category.to_owned(),
                parts: items,
                ..Part::default()
            });
        }
        Some(Part {
            id,
            level: Level::Section,
            title: title.to_owned(),
            name: title.to_owned(),
            parts,
            ..Part::default()
        })
    }

    fn method(&self, method: &MethodEntry) -> Part {
        let item = &method.item;
        let mut facts = Vec::new();
        if !method.returns.is_empty() {
            facts.push(("Returns", as_markdown(&method.returns)));
        }
        if let Some(answer) = &method.answer {
            facts.push(("Answer", type_of(answer, self.marks)));
        }
        facts.push(("Ends", ends(method).to_owned()));
        facts.extend(followed(method).map(|words| ("Guards", words.to_owned())));
        if method.is_override {
            facts.extend(self.overridden(Sort::Method, &item.name));
        }
        self.part(item, Sort::Method, table(&method.args, self.marks), facts)
    }

    fn property(&self, property: &PropertyEntry) -> Part {
        let ty = &property.ty;
        let mut facts = vec![("Type", type_of(ty, self.marks))];
        for (label, words) in [("Default", default_of(ty)), ("Allowed", allowed(ty))] {
            if !words.is_empty() {
                facts.push((label, words));
            }
        }
        if property.read_only {
            facts.push(("Access", "read only".to_owned()));
        }
        if property.is_static {
            facts.push(("Static", "the same for all agents".to_owned()));
        }
        if property.is_override {
            facts.extend(self.overridden(Sort::Property, &property.item.name));
        }
        self.part(&property.item, Sort::Property, Table::default(), facts)
    }

    fn event(&self, event: &EventEntry) -> Part {
        let params = table(&event.params, self.marks);
        self.part(&event.item, Sort::Event, params, Vec::new())
    }

    fn part(
        &self,
        item: &ItemEntry,
        sort: Sort,
        table: Table,
        mut facts: Vec<(&'static str, String)>,
    ) -> Part {
        common(item, &mut facts);
        let id = self.marks.member(self.agent, sort, &item.name);
        Part {
            id: id.cloned().unwrap_or_default(),
            level: Level::Item,
            title: titled(&item.name, item),
            name: item.name.clone(),
            text: text(item),
            table,
            facts,
            parts: Vec::new(),
        }
    }

    /// The item that an item overrides, if it is in view.
    fn overridden(&self, sort: Sort, name: &str) -> Option<(&'static str, String)> {
        let mut bases = self.agents.line(self.agent).skip(1);
        let (base, id) =
            bases.find_map(|base| Some((base, self.marks.member(base, sort, name)?)))?;
        let key = self.agents.key(base);
        Some(("Replaces", link(&format!("{key}.{name}"), Some(id))))
    }
}

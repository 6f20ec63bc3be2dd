//! The items of an agent that a tree can name, its own and inherited, under their names.

use std::collections::{BTreeMap, BTreeSet};

use crate::catalogue::{AgentEntry, EventEntry, ItemEntry, MethodEntry, PropertyEntry};
use crate::layout::Agents;

/// Something that an agent in the line registers, and the names that lead to it.
#[derive(Debug, Clone)]
pub(super) struct Member<'a, T> {
    pub(super) entry: &'a T,
    /// The agent that registers it: the one itself, or one of its bases.
    pub(super) from: &'a AgentEntry,
    /// Names of old that still lead to it, sorted.
    pub(super) aliases: Vec<&'a str>,
}

/// An item with a name.
pub(super) trait Item {
    fn item(&self) -> &ItemEntry;
}

impl Item for MethodEntry {
    fn item(&self) -> &ItemEntry {
        &self.item
    }
}

impl Item for PropertyEntry {
    fn item(&self) -> &ItemEntry {
        &self.item
    }
}

impl Item for EventEntry {
    fn item(&self) -> &ItemEntry {
        &self.item
    }
}

/// Actions, conditions and decorators, sorted by name.
pub(super) fn methods<'a>(
    agents: &Agents<'a>,
    agent: &'a AgentEntry,
) -> Vec<Member<'a, MethodEntry>> {
    members(agents, agent, |agent| &agent.methods)
}

/// Properties, sorted by name.
pub(super) fn properties<'a>(
    agents: &Agents<'a>,
    agent: &'a AgentEntry,
) -> Vec<Member<'a, PropertyEntry>> {
    members(agents, agent, |agent| &agent.properties)
}

/// Events, sorted by name.
pub(super) fn events<'a>(
    agents: &Agents<'a>,
    agent: &'a AgentEntry,
) -> Vec<Member<'a, EventEntry>> {
    members(agents, agent, |agent| &agent.events)
}

/// The nearest of each name. A name comes before an alias wherever it is, as when trees are checked.
fn members<'a, T: Item>(
    agents: &Agents<'a>,
    agent: &'a AgentEntry,
    list: fn(&'a AgentEntry) -> &'a [T],
) -> Vec<Member<'a, T>> {
    let mut found: BTreeMap<&str, Member<'a, T>> = BTreeMap::new();
    let each = || {
        let line = agents.line(agent);
        line.flat_map(|from| list(from).iter().map(move |entry| (from, entry)))
    };
    for (from, entry) in each() {
        let member = Member {
            entry,
            from,
            aliases: Vec::new(),
        };
        found.entry(&entry.item().name).or_insert(member);
    }
    let mut taken: BTreeSet<&str> = found.keys().copied().collect();
    for (_, entry) in each() {
        for alias in &entry.item().alias {
            let of = found.get_mut(entry.item().name.as_str());
            let same = of.filter(|member| std::ptr::eq(member.entry, entry));
            if let Some(member) = same
                && taken.insert(alias)
            {
                member.aliases.push(alias);
            }
        }
    }
    let mut members: Vec<_> = found.into_values().collect();
    for member in &mut members {
        member.aliases.sort_unstable();
    }
    members
}

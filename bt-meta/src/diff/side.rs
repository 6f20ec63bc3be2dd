//! One catalogue: what names stand for on an agent, with what it inherits.

use std::collections::BTreeMap;

use super::hit::Sort;
use crate::catalogue::{AgentEntry, Catalogue, EventEntry, ItemEntry, MethodEntry, PropertyEntry};

/// Something with names of its own on an agent.
pub(super) trait Item: PartialEq + Sized {
    /// The list of names that it is in.
    const SORT: Sort;
    fn item(&self) -> &ItemEntry;
    /// The word for it in messages.
    fn word(&self) -> &'static str;
    fn own<'s, 'c>(agent: &'s Own<'c>) -> &'s Names<'c, Self>;
}

/// Items by their names, and by the names that they had.
#[derive(Debug)]
pub(super) struct Names<'c, T> {
    pub(super) names: BTreeMap<&'c str, &'c T>,
    pub(super) aliases: BTreeMap<&'c str, &'c T>,
}

impl<'c, T: Item> Names<'c, T> {
    fn of(list: &'c [T]) -> Self {
        let aliases = |entry: &'c T| {
            let aliases = entry.item().alias.iter();
            aliases.map(move |alias| (alias.as_str(), entry))
        };
        Self {
            names: list.iter().map(|e| (e.item().name.as_str(), e)).collect(),
            aliases: list.iter().flat_map(aliases).collect(),
        }
    }
}

/// An agent and what its own blocks register.
#[derive(Debug)]
pub(super) struct Own<'c> {
    pub(super) entry: &'c AgentEntry,
    methods: Names<'c, MethodEntry>,
    properties: Names<'c, PropertyEntry>,
    events: Names<'c, EventEntry>,
}

impl<'c> Own<'c> {
    pub(super) fn full_name(&self) -> &'c str {
        &self.entry.full_name
    }
}

/// The meaning of a name.
#[derive(Debug)]
pub(super) struct Found<'s, 'c, T> {
    /// The agent that defines it.
    pub(super) from: &'s Own<'c>,
    pub(super) entry: &'c T,
    pub(super) by_alias: bool,
}

impl<T> Clone for Found<'_, '_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Found<'_, '_, T> {}

/// A catalogue that is known not to contradict itself.
#[derive(Debug)]
pub(super) struct Side<'c> {
    pub(super) catalogue: &'c Catalogue,
    agents: BTreeMap<&'c str, Own<'c>>,
    named: BTreeMap<&'c str, Vec<&'c str>>,
    aliases: BTreeMap<&'c str, Vec<&'c str>>,
}

impl<'c> Side<'c> {
    pub(super) fn of(catalogue: &'c Catalogue) -> Self {
        let mut side = Side {
            catalogue,
            agents: BTreeMap::new(),
            named: BTreeMap::new(),
            aliases: BTreeMap::new(),
        };
        for entry in &catalogue.agents {
            let full = entry.full_name.as_str();
            side.named.entry(&entry.item.name).or_default().push(full);
            for alias in &entry.item.alias {
                side.aliases.entry(alias).or_default().push(full);
            }
            let own = Own {
                entry,
                methods: Names::of(&entry.methods),
                properties: Names::of(&entry.properties),
                events: Names::of(&entry.events),
            };
            side.agents.insert(full, own);
        }
        side
    }

    /// The agents, sorted by full name.
    pub(super) fn agents(&self) -> impl Iterator<Item = &Own<'c>> {
        self.agents.values()
    }

    pub(super) fn by_full_name(&self, full: &str) -> Option<&Own<'c>> {
        self.agents.get(full)
    }

    /// The agent that a tree means by this: a full name, else the one that has the name, else the
    /// one that had it.
    pub(super) fn agent(&self, spelled: &str) -> Option<&Own<'c>> {
        let only = |all: &BTreeMap<&str, Vec<&'c str>>| -> Option<Option<&'c str>> {
            let [one] = all.get(spelled)?.as_slice() else {
                return Some(None);
            };
            Some(Some(*one))
        };
        if let Some(agent) = self.agents.get(spelled) {
            return Some(agent);
        }
        let full = only(&self.named).or_else(|| only(&self.aliases))?;
        self.agents.get(full?)
    }

    pub(super) fn base(&self, agent: &Own<'c>) -> Option<&Own<'c>> {
        self.agents.get(agent.entry.base.as_deref()?)
    }

    /// The agent, its base, that one's base, and so on.
    pub(super) fn line<'s>(&'s self, agent: &'s Own<'c>) -> impl Iterator<Item = &'s Own<'c>> {
        std::iter::successors(Some(agent), |agent| self.base(agent))
    }

    /// Returns true if an agent has another in its line.
    pub(super) fn is_below(&self, agent: &str, base: &str) -> bool {
        let agent = self.agents.get(agent);
        agent.is_some_and(|agent| self.line(agent).any(|one| one.full_name() == base))
    }

    /// Returns true if unknown names are answered on the agent.
    pub(super) fn has_fallback(&self, agent: &Own<'c>) -> bool {
        self.line(agent).any(|one| one.entry.fallback.is_some())
    }

    /// Finds the meaning of a name on an agent: a name before an alias, and the nearer agent's before a
    /// base's.
    pub(super) fn find<'s, T: Item>(
        &'s self,
        agent: &'s Own<'c>,
        name: &str,
    ) -> Option<Found<'s, 'c, T>> {
        [false, true].into_iter().find_map(|by_alias| {
            self.line(agent).find_map(|from| {
                let own = T::own(from);
                let all = if by_alias { &own.aliases } else { &own.names };
                let entry = *all.get(name)?;
                Some(Found {
                    from,
                    entry,
                    by_alias,
                })
            })
        })
    }

    /// Everything that the agent has, own and inherited; the nearest of a name.
    pub(super) fn all<'s, T: Item>(
        &'s self,
        agent: &'s Own<'c>,
    ) -> BTreeMap<&'c str, Found<'s, 'c, T>> {
        let mut all = BTreeMap::new();
        for from in self.line(agent) {
            for (name, entry) in &T::own(from).names {
                let by_alias = false;
                all.entry(*name).or_insert(Found {
                    from,
                    entry: *entry,
                    by_alias,
                });
            }
        }
        all
    }
}

impl Item for MethodEntry {
    const SORT: Sort = Sort::Method;

    fn item(&self) -> &ItemEntry {
        &self.item
    }

    fn word(&self) -> &'static str {
        self.kind.word()
    }

    fn own<'s, 'c>(agent: &'s Own<'c>) -> &'s Names<'c, Self> {
        &agent.methods
    }
}

impl Item for PropertyEntry {
    const SORT: Sort = Sort::Property;

    fn item(&self) -> &ItemEntry {
        &self.item
    }

    fn word(&self) -> &'static str {
        "property"
    }

    fn own<'s, 'c>(agent: &'s Own<'c>) -> &'s Names<'c, Self> {
        &agent.properties
    }
}

impl Item for EventEntry {
    const SORT: Sort = Sort::Event;

    fn item(&self) -> &ItemEntry {
        &self.item
    }

    fn word(&self) -> &'static str {
        "event"
    }

    fn own<'s, 'c>(agent: &'s Own<'c>) -> &'s Names<'c, Self> {
        &agent.events
    }
}

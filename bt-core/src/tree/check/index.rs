//! The items of an agent, own and inherited, by name: looked up once for each node of a tree.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::describe::catalogue::{EventEntry, ItemEntry, MethodEntry, PropertyEntry};
use crate::registry::AgentInfo;

/// One agent. What of it no node asks for is not gathered.
#[derive(Debug)]
pub(super) struct Index<'r> {
    pub(super) agent: AgentInfo<'r>,
    methods: OnceLock<ByName<'r, MethodEntry>>,
    properties: OnceLock<ByName<'r, PropertyEntry>>,
    events: OnceLock<ByName<'r, EventEntry>>,
    pub(super) has_fallback: bool,
}

type ByName<'r, T> = FxHashMap<&'r str, Named<'r, T>>;

/// An item under one of its names.
#[derive(Debug)]
pub(super) struct Named<'r, T> {
    pub(super) entry: &'r T,
    pub(super) is_alias: bool,
}

impl<T> Clone for Named<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Named<'_, T> {}

impl<'r> Index<'r> {
    pub(super) fn of(agent: AgentInfo<'r>) -> Index<'r> {
        Index {
            agent,
            methods: OnceLock::new(),
            properties: OnceLock::new(),
            events: OnceLock::new(),
            has_fallback: agent
                .lineage()
                .any(|agent| agent.entry().fallback.is_some()),
        }
    }

    pub(super) fn name(&self) -> &'r str {
        self.agent.full_name()
    }

    fn methods(&self) -> &ByName<'r, MethodEntry> {
        self.methods.get_or_init(|| {
            by_name(
                self.agent,
                |agent| &agent.entry().methods,
                |entry| &entry.item,
            )
        })
    }

    fn properties(&self) -> &ByName<'r, PropertyEntry> {
        self.properties.get_or_init(|| {
            by_name(
                self.agent,
                |agent| &agent.entry().properties,
                |entry| &entry.item,
            )
        })
    }

    fn events(&self) -> &ByName<'r, EventEntry> {
        self.events.get_or_init(|| {
            by_name(
                self.agent,
                |agent| &agent.entry().events,
                |entry| &entry.item,
            )
        })
    }

    pub(super) fn method(&self, name: &str) -> Option<Named<'r, MethodEntry>> {
        self.methods().get(name).copied()
    }

    pub(super) fn property(&self, name: &str) -> Option<Named<'r, PropertyEntry>> {
        self.properties().get(name).copied()
    }

    pub(super) fn event(&self, name: &str) -> Option<Named<'r, EventEntry>> {
        self.events().get(name).copied()
    }

    /// The names of the methods that have a kind one looks for, aliases not among them.
    pub(super) fn methods_that(
        &self,
        wanted: impl Fn(&MethodEntry) -> bool,
    ) -> impl Iterator<Item = &'r str> {
        names(self.methods()).filter_map(move |(name, entry)| wanted(entry).then_some(name))
    }

    pub(super) fn property_names(&self) -> impl Iterator<Item = &'r str> {
        names(self.properties()).map(|(name, _)| name)
    }

    pub(super) fn event_names(&self) -> impl Iterator<Item = &'r str> {
        names(self.events()).map(|(name, _)| name)
    }
}

fn names<'r, T>(all: &ByName<'r, T>) -> impl Iterator<Item = (&'r str, &'r T)> {
    let own = all.iter().filter(|(_, named)| !named.is_alias);
    own.map(|(name, named)| (*name, named.entry))
}

/// A name before an alias, and the nearer agent's before a base's.
fn by_name<'r, T>(
    agent: AgentInfo<'r>,
    list: fn(AgentInfo<'r>) -> &'r [T],
    item: fn(&'r T) -> &'r ItemEntry,
) -> ByName<'r, T> {
    let mut all = FxHashMap::default();
    all.reserve(agent.lineage().map(|agent| list(agent).len()).sum());
    for is_alias in [false, true] {
        for entry in agent.lineage().flat_map(list) {
            let ItemEntry { name, alias, .. } = item(entry);
            let names = match is_alias {
                true => alias.as_slice(),
                false => std::slice::from_ref(name),
            };
            for name in names {
                all.entry(name.as_str())
                    .or_insert(Named { entry, is_alias });
            }
        }
    }
    all
}

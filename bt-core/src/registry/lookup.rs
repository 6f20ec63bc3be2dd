//! Look-up by name, with the names that come near.

use std::collections::BTreeSet;
use std::fmt;

use super::Registry;
use crate::describe::catalogue::{AgentEntry, EventEntry, MethodEntry, PropertyEntry};
use crate::text::{self, did_you_mean, nearest};

/// A name that is not there, and the names that come near.
///
/// ```
/// use bt_core::Registry;
///
/// let agent = Registry::global()?.agent("action_agent")?;
/// let error = agent.action("wait_for_second").unwrap_err();
/// assert_eq!(error.suggestions(), ["wait_for_seconds"]);
/// println!("{error}"); // no action `wait_for_second` …; did you mean `wait_for_seconds`?
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct LookupError {
    message: String,
    near: Vec<String>,
}

impl LookupError {
    fn new<'a>(
        what: &str,
        name: &str,
        of: &str,
        names: impl Iterator<Item = &'a str>,
    ) -> LookupError {
        let near = nearest(name, names);
        let name = text::name(name);
        let message = format!("no {what} `{name}`{of}{}", did_you_mean(&near));
        LookupError { message, near }
    }

    /// The nearest names that exist, best first; none where nothing comes near.
    pub fn suggestions(&self) -> &[String] {
        &self.near
    }
}

impl fmt::Display for LookupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// As it is displayed, because this is what `main` and `unwrap` show of an error.
impl fmt::Debug for LookupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for LookupError {}

/// One agent and what it inherits.
///
/// ```
/// use bt_core::Registry;
///
/// let agent = Registry::global()?.agent("action_agent")?;
/// let wait = agent.action("wait_for_seconds")?;
/// println!("{}: {}", wait.item.name, wait.item.brief);
/// assert_eq!(wait.agent.name(), "action_agent"); // who defines it
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct AgentInfo<'r> {
    pub(super) registry: &'r Registry,
    pub(super) entry: &'r AgentEntry,
}

/// An item and the agent that defines it.
#[derive(Debug)]
pub struct Found<'r, T> {
    /// The agent that defines it: the one asked, or one of its bases.
    pub agent: AgentInfo<'r>,
    /// The item.
    pub entry: &'r T,
}

impl<T> std::ops::Deref for Found<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.entry
    }
}

impl<'r> AgentInfo<'r> {
    /// The agent's name, such as `monster_agent`.
    pub fn name(&self) -> &'r str {
        &self.entry.item.name
    }

    /// The agent's name with its namespace.
    pub fn full_name(&self) -> &'r str {
        &self.entry.full_name
    }

    /// The registry that it is of.
    pub(crate) fn registry(&self) -> &'r Registry {
        self.registry
    }

    /// Everything that the agent's own annotations say.
    pub fn entry(&self) -> &'r AgentEntry {
        self.entry
    }

    /// The base agent.
    pub fn base(&self) -> Option<AgentInfo<'r>> {
        let name = self.entry.base.as_ref()?;
        let entry = self.registry.by_full_name(name)?;
        Some(AgentInfo { entry, ..*self })
    }

    /// The agent and its bases, nearest first.
    pub fn lineage(&self) -> impl Iterator<Item = AgentInfo<'r>> {
        // A base is looked for only when it is asked for: most names are the agent's own.
        let (agent, mut last) = (*self, None);
        std::iter::from_fn(move || {
            last = match &last {
                None => Some(agent),
                Some(last) => Some(AgentInfo::base(last)?),
            };
            last
        })
    }

    /// The action, condition, query or decorator of that name or alias, own or inherited.
    ///
    /// # Errors
    /// [`LookupError`] with the nearest names.
    pub fn action(&self, name: &str) -> Result<Found<'r, MethodEntry>, LookupError> {
        self.find("action", name, |agent| &agent.methods, |entry| &entry.item)
    }

    /// Every action, condition, query and decorator, own and inherited, sorted by name.
    pub fn actions(&self) -> Vec<Found<'r, MethodEntry>> {
        self.all(|agent| &agent.methods, |entry| &entry.item.name)
    }

    /// The property of that name or alias, own or inherited.
    ///
    /// # Errors
    /// [`LookupError`] with the nearest names.
    pub fn property(&self, name: &str) -> Result<Found<'r, PropertyEntry>, LookupError> {
        self.find(
            "property",
            name,
            |agent| &agent.properties,
            |entry| &entry.item,
        )
    }

    /// Every property, own and inherited, sorted by name.
    pub fn properties(&self) -> Vec<Found<'r, PropertyEntry>> {
        self.all(|agent| &agent.properties, |entry| &entry.item.name)
    }

    /// The event of that name or alias, own or inherited.
    ///
    /// # Errors
    /// [`LookupError`] with the nearest names.
    pub fn event(&self, name: &str) -> Result<Found<'r, EventEntry>, LookupError> {
        self.find("event", name, |agent| &agent.events, |entry| &entry.item)
    }

    /// Every event, own and inherited, sorted by name.
    pub fn events(&self) -> Vec<Found<'r, EventEntry>> {
        self.all(|agent| &agent.events, |entry| &entry.item.name)
    }

    fn find<T>(
        &self,
        what: &str,
        name: &str,
        list: fn(&AgentEntry) -> &[T],
        item: fn(&T) -> &crate::describe::catalogue::ItemEntry,
    ) -> Result<Found<'r, T>, LookupError> {
        // A name before an alias, and the nearer agent's before a base's.
        for by_alias in [false, true] {
            for agent in self.lineage() {
                let found = list(agent.entry).iter().find(|entry| {
                    let item = item(entry);
                    if by_alias {
                        item.alias.iter().any(|alias| alias == name)
                    } else {
                        item.name == name
                    }
                });
                if let Some(entry) = found {
                    return Ok(Found { agent, entry });
                }
            }
        }
        let lineage: Vec<_> = self.lineage().collect();
        let names = lineage.iter().flat_map(|agent| list(agent.entry));
        let of = format!(" of agent `{}`", self.full_name());
        let names = names.map(|entry| item(entry).name.as_str());
        Err(LookupError::new(what, name, &of, names))
    }

    fn all<T>(&self, list: fn(&AgentEntry) -> &[T], name: fn(&T) -> &str) -> Vec<Found<'r, T>> {
        let mut seen = BTreeSet::new();
        let mut found: Vec<_> = self
            .lineage()
            .flat_map(|agent| list(agent.entry).iter().map(move |entry| (agent, entry)))
            .filter(|(_, entry)| seen.insert(name(entry)))
            .map(|(agent, entry)| Found { agent, entry })
            .collect();
        found.sort_by(|a, b| name(a.entry).cmp(name(b.entry)));
        found
    }
}

impl Registry {
    pub(super) fn by_full_name(&self, name: &str) -> Option<&AgentEntry> {
        let agents = &self.catalogue.agents;
        let at = agents.binary_search_by(|a| a.full_name.as_str().cmp(name));
        Some(&agents[at.ok()?])
    }

    /// The agent of that full name, name or alias.
    ///
    /// # Errors
    /// [`LookupError`] with the nearest names, or with the full names where agents of several
    /// namespaces share the name.
    pub fn agent(&self, name: &str) -> Result<AgentInfo<'_>, LookupError> {
        let found = |entry| AgentInfo {
            registry: self,
            entry,
        };
        if let Some(entry) = self.by_full_name(name) {
            return Ok(found(entry));
        }
        let agents = &self.catalogue.agents;
        let tests: [fn(&AgentEntry, &str) -> bool; 2] = [
            |agent, name| agent.item.name == name,
            |agent, name| agent.item.alias.iter().any(|alias| alias == name),
        ];
        for test in tests {
            let same: Vec<_> = agents.iter().filter(|agent| test(agent, name)).collect();
            match same.as_slice() {
                [] => {}
                [one] => return Ok(found(one)),
                many => {
                    let near: Vec<_> = many.iter().map(|a| a.full_name.clone()).collect();
                    let message = format!(
                        "`{name}` names {} agents{}",
                        many.len(),
                        did_you_mean(&near)
                    );
                    return Err(LookupError { message, near });
                }
            }
        }
        let names = agents
            .iter()
            .flat_map(|agent| [agent.full_name.as_str(), agent.item.name.as_str()]);
        let mut error = LookupError::new("agent", name, "", names);
        if error.near.is_empty() {
            error.message.push_str(&self.linked_crates());
        }
        Err(error)
    }

    /// The crates that agents come from, for a name that is unknown and unlike any other: a crate that
    /// nothing mentions is not linked.
    fn linked_crates(&self) -> String {
        let crates = self.crates().iter();
        let names: Vec<_> = crates.map(|entry| format!("`{}`", entry.name)).collect();
        match names.as_slice() {
            [] => String::new(),
            names => format!(
                "; linked are the agents of {}: if another crate defines it, write \
                 `use that_crate as _;`",
                names.join(", ")
            ),
        }
    }
}

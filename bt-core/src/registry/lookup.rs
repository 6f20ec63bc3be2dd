//! Look-up by name, with the names that come near.

use std::collections::BTreeSet;
use std::fmt;

use super::Registry;
use super::catalogue::{AgentEntry, EventEntry, MethodEntry, PropertyEntry};
use crate::text;

/// A name that is not there, and the names that come near.
#[derive(Debug, Clone, PartialEq, Eq)]
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

impl std::error::Error for LookupError {}

/// How long a name may be that something comes near: one of megabytes is no slip of the pen, and
/// costs as much to compare.
const LONGEST: usize = 256;

/// How many names are compared with one: of more, nobody sees them all.
const COMPARED: usize = 10_000;

/// The names that a mistyped one may have meant, best first, at most three.
pub fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    if name.len() > LONGEST {
        return Vec::new();
    }
    // A third of the letters may be wrong: one of a short name.
    let limit = ((name.chars().count() + 1) / 3).max(1);
    // What differs in case only is the same word.
    let lower = name.to_lowercase();
    let mut near: Vec<_> = names
        .filter(|other| other.len() <= LONGEST)
        .take(COMPARED)
        .map(|other| {
            let distance = strsim::damerau_levenshtein(&lower, &other.to_lowercase());
            // A part of a longer name: `chase` for `chase_target`.
            let part =
                name.len() >= 3 && other.contains(name) || other.len() >= 3 && name.contains(other);
            (if part { distance.min(limit) } else { distance }, other)
        })
        .filter(|(distance, other)| *distance <= limit && !other.is_empty())
        .collect();
    near.sort_unstable_by_key(|(distance, other)| (*distance, !other.starts_with(name), *other));
    near.dedup();
    // What is clearly nearer than the rest stands alone.
    let best = near.first().map_or(0, |(distance, _)| *distance);
    near.retain(|(distance, _)| *distance <= best + 1);
    near.truncate(3);
    near.into_iter()
        .map(|(_, other)| other.to_owned())
        .collect()
}

fn did_you_mean(near: &[String]) -> String {
    let quoted: Vec<_> = near.iter().map(|name| format!("`{name}`")).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [one] => format!("; did you mean {one}?"),
        [some @ .., last] => format!("; did you mean {} or {last}?", some.join(", ")),
    }
}

/// `; did you mean …?`, or nothing.
pub fn suggest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> String {
    did_you_mean(&nearest(name, names))
}

/// One agent and what it inherits.
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
        std::iter::successors(Some(*self), AgentInfo::base)
    }

    /// The action, condition or decorator of that name or alias, own or inherited.
    ///
    /// # Errors
    /// [`LookupError`] with the nearest names.
    pub fn action(&self, name: &str) -> Result<Found<'r, MethodEntry>, LookupError> {
        self.find("action", name, |agent| &agent.methods, |entry| &entry.item)
    }

    /// Every action, condition and decorator, own and inherited, sorted by name.
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
        item: fn(&T) -> &super::catalogue::ItemEntry,
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
        Err(LookupError::new("agent", name, "", names))
    }
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn near_names_come_best_first_and_far_ones_not_at_all() {
        let names = ["chase", "chase_target", "flee", "patrol"];
        assert_eq!(nearest("chsae", names.into_iter()), ["chase"]);
        assert_eq!(nearest("chase_targt", names.into_iter())[0], "chase_target");
        assert_eq!(nearest("Flee", names.into_iter()), ["flee"]);
        assert_eq!(nearest("PATROL", names.into_iter()), ["patrol"]);
        assert_eq!(nearest("=", ["!=", "<", "<=", "=="].into_iter())[0], "==");
        assert!(nearest("teleport", names.into_iter()).is_empty());
        assert_eq!(nearest("lok", ["look", "nop"].into_iter()), ["look"]);
        assert!(nearest("", names.into_iter()).is_empty());
        assert!(nearest("teleporter", ["or", "and"].into_iter()).is_empty());
        assert!(nearest(&"chase".repeat(1_000), names.into_iter()).is_empty());
    }
}

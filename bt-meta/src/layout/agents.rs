//! The agents of a catalogue: found by name, with what they inherit.

use std::collections::BTreeMap;

use crate::catalogue::{AgentEntry, Catalogue, MethodEntry};
use crate::contradictions::refuse_problems;
use crate::error::{Error, did_you_mean, quoted};

/// The agents of a catalogue, whose bases are known to be there and not to go in a circle.
#[derive(Debug, Clone)]
pub struct Agents<'a> {
    by_full_name: BTreeMap<&'a str, &'a AgentEntry>,
    keys: BTreeMap<&'a str, &'a str>,
}

/// A method that can be called on an agent, and the agent in its line that defines it.
#[derive(Debug, Clone, Copy)]
pub struct Callable<'a> {
    /// The method.
    pub method: &'a MethodEntry,
    /// The agent that registers it: the one itself, or one of its bases.
    pub from: &'a AgentEntry,
}

impl<'a> Agents<'a> {
    /// Looks at the agents of a catalogue.
    ///
    /// # Errors
    /// As [`refuse_problems`].
    pub fn new(catalogue: &'a Catalogue) -> Result<Self, Error> {
        refuse_problems(catalogue)?;
        let mut named: BTreeMap<&str, usize> = BTreeMap::new();
        for agent in &catalogue.agents {
            *named.entry(&agent.item.name).or_default() += 1;
        }
        let by_full_name: BTreeMap<&str, &AgentEntry> = catalogue
            .agents
            .iter()
            .map(|agent| (agent.full_name.as_str(), agent))
            .collect();
        let keys = by_full_name
            .iter()
            .map(|(full, agent)| {
                let name = agent.item.name.as_str();
                (*full, if named[name] == 1 { name } else { *full })
            })
            .collect();
        Ok(Self { by_full_name, keys })
    }

    /// Every agent, sorted by full name.
    pub fn all(&self) -> impl Iterator<Item = &'a AgentEntry> + '_ {
        self.by_full_name.values().copied()
    }

    /// The key of the agent in files: its name where no other agent has it, else its full name.
    pub fn key(&self, agent: &AgentEntry) -> &'a str {
        self.keys[agent.full_name.as_str()]
    }

    /// The base of an agent.
    pub fn base(&self, agent: &AgentEntry) -> Option<&'a AgentEntry> {
        self.by_full_name.get(agent.base.as_deref()?).copied()
    }

    /// The agent itself, then its base, then that one's base, and so on.
    pub fn line(&self, agent: &'a AgentEntry) -> impl Iterator<Item = &'a AgentEntry> + '_ {
        std::iter::successors(Some(agent), |agent| self.base(agent))
    }

    /// The methods that a tree can call on the agent, its own and inherited, by name; the nearest wins.
    pub fn callables(&self, agent: &'a AgentEntry) -> BTreeMap<&'a str, Callable<'a>> {
        let mut callables = BTreeMap::new();
        for from in self.line(agent) {
            for method in &from.methods {
                callables
                    .entry(method.item.name.as_str())
                    .or_insert(Callable { method, from });
            }
        }
        callables
    }

    /// [`Self::callables`] that a leaf may name: actions and conditions, not decorators and not what only expressions call.
    pub fn leaves(&self, agent: &'a AgentEntry) -> BTreeMap<&'a str, Callable<'a>> {
        let mut leaves = self.callables(agent);
        leaves.retain(|_, leaf| leaf.method.is_leaf());
        leaves
    }

    /// The agent that has this full name, name or alias.
    ///
    /// # Errors
    /// A failure where there is none, with the nearest name, and where the name stands for several.
    pub fn find(&self, wanted: &str) -> Result<&'a AgentEntry, Error> {
        if let Some(agent) = self.by_full_name.get(wanted) {
            return Ok(agent);
        }
        let by = |test: &dyn Fn(&AgentEntry) -> bool| -> Vec<&'a AgentEntry> {
            self.all().filter(|agent| test(agent)).collect()
        };
        let mut found = by(&|agent| agent.item.name == wanted);
        if found.is_empty() {
            found = by(&|agent| agent.item.alias.iter().any(|alias| alias == wanted));
        }
        match found.as_slice() {
            [agent] => Ok(agent),
            [] => {
                let names = self.all().map(|agent| self.key(agent));
                let hint = did_you_mean(wanted, names).unwrap_or_else(|| {
                    "`bt-meta list` prints the agents that there are".to_owned()
                });
                Err(Error::failure(format!(
                    "no agent is named `{wanted}`; {hint}"
                )))
            }
            several => Err(Error::failure(format!(
                "`{wanted}` stands for {}; say which by its full name",
                quoted(several.iter().map(|agent| &agent.full_name))
            ))),
        }
    }
}

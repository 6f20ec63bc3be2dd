//! Everything that the macros submit: the whole-program catalogue, and look-up by name.

pub(crate) mod build;
mod check;
#[doc(hidden)]
pub mod decoders;
mod events;
mod export;
pub(crate) mod known;
pub(crate) mod lookup;
mod sets;
mod typed;

use std::any::TypeId;
use std::fmt;
use std::sync::OnceLock;

use serde_json::Value;

pub use crate::describe::catalogue;
use crate::describe::catalogue::{AgentEntry, Catalogue, CrateEntry, MethodEntry, ProblemEntry};
#[doc(hidden)]
pub use crate::describe::schema;
#[doc(hidden)]
pub use crate::describe::type_name::type_name;
pub use crate::text::nearest;
#[doc(hidden)]
pub use crate::text::suggest;
#[cfg(feature = "dynamic")]
use crate::{
    Agent,
    call::{ActionSet, Members},
};
use decoders::{Decoders, Refused};
pub(crate) use events::EventInfo;
#[cfg(feature = "dynamic")]
pub(crate) use events::{Accept, EventShape, beyond_limits};
pub use export::export_if_asked;
#[doc(hidden)]
pub use export::{ASK, ASK_DECODER};
pub use lookup::{AgentInfo, Found, LookupError};
use sets::Sets;

/// Everything that the linked crates registered, checked, by name.
///
/// ```
/// use bt_core::Registry;
///
/// let registry = Registry::global()?;
/// let agent = registry.agent("action_agent")?;
/// assert!(agent.action("nop").is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Registry {
    catalogue: Catalogue,
    sets: Sets,
    /// Of agents that are described: their type, and the full name of the one that runs trees.
    described: Option<(TypeId, String)>,
    /// None for a catalogue from a file.
    events: Option<events::Known>,
    /// None for a catalogue from a file.
    decoders: Option<OnceLock<Decoders>>,
}

impl Registry {
    /// The registry of this program, built on first use.
    ///
    /// One program is one registry: since edition 2024 the doc tests of a crate are one program,
    /// so agents in them need different names (or the test ```` ```standalone_crate ````).
    ///
    /// # Errors
    /// [`RegistryError`] if registrations contradict each other; it lists all of them, each with
    /// every place that takes part.
    pub fn global() -> Result<&'static Registry, &'static RegistryError> {
        static GLOBAL: OnceLock<Result<Registry, RegistryError>> = OnceLock::new();
        GLOBAL
            .get_or_init(|| {
                let mut registry = Registry::new(build::collect())?;
                registry.events = Some(events::linked());
                registry.decoders = Some(OnceLock::new());
                Ok(registry)
            })
            .as_ref()
    }

    /// A registry of a catalogue, such as one read from `agents.json`: for looking things up, not
    /// for calling.
    ///
    /// # Errors
    /// [`RegistryError`] if its entries contradict each other.
    pub fn from_catalogue(mut catalogue: Catalogue) -> Result<Registry, RegistryError> {
        catalogue
            .agents
            .sort_by(|a, b| a.full_name.cmp(&b.full_name));
        let found = check::check(&catalogue);
        for problem in found {
            if !catalogue.problems.contains(&problem) {
                catalogue.problems.push(problem);
            }
        }
        Registry::new(catalogue)
    }

    fn new(catalogue: Catalogue) -> Result<Registry, RegistryError> {
        if catalogue.problems.is_empty() {
            Ok(Registry {
                catalogue,
                sets: Sets::default(),
                described: None,
                events: None,
                decoders: None,
            })
        } else {
            Err(RegistryError {
                problems: catalogue.problems,
            })
        }
    }

    /// A registry of agents that are described: the one of type `A` and of that full name runs trees, with
    /// those members, and `events` are those of each agent.
    ///
    /// # Errors
    /// [`RegistryError`] if the catalogue's entries contradict each other.
    #[cfg(feature = "dynamic")]
    pub(crate) fn described<A: Agent>(
        catalogue: Catalogue,
        agent: &str,
        members: Members<A>,
        events: impl IntoIterator<Item = (String, Vec<EventShape>)>,
    ) -> Result<Registry, RegistryError> {
        let mut registry = Registry::from_catalogue(catalogue)?;
        registry.described = Some((TypeId::of::<A>(), agent.to_owned()));
        let mut known = events::linked();
        known.extend(events);
        registry.events = Some(known);
        registry.sets.keep(ActionSet::of(members));
        Ok(registry)
    }

    /// Everything as plain data.
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// Returns whether an argument of a method takes a value, by the decoders of this program; none for a
    /// catalogue from a file.
    pub(crate) fn takes(
        &self,
        method: &MethodEntry,
        argument: usize,
        value: &Value,
    ) -> Option<Result<(), Refused>> {
        let decoders = self.decoders.as_ref()?.get_or_init(Decoders::linked);
        let agent = self.agent_with(method)?;
        decoders.takes(agent, &method.item.name, argument, value)
    }

    /// The full name of the agent that registers a method, which is one of this registry's own
    /// entries.
    #[doc(hidden)]
    pub fn agent_with(&self, method: &MethodEntry) -> Option<&str> {
        let has = |agent: &&AgentEntry| {
            agent
                .methods
                .as_ptr_range()
                .contains(&std::ptr::from_ref(method))
        };
        let agent = self.catalogue.agents.iter().find(has)?;
        Some(&agent.full_name)
    }

    /// The crates that registered something, sorted. A crate that is missing here was not linked:
    /// mention it, `use that_crate as _;`.
    pub fn crates(&self) -> &[CrateEntry] {
        &self.catalogue.crates
    }

    /// The agents, sorted by full name.
    pub fn agents(&self) -> impl Iterator<Item = AgentInfo<'_>> {
        self.catalogue.agents.iter().map(|entry| AgentInfo {
            registry: self,
            entry,
        })
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.agents().map(|agent| agent.full_name());
        f.debug_set().entries(names).finish()
    }
}

/// Registrations that contradict each other.
#[derive(Clone, PartialEq, Eq)]
pub struct RegistryError {
    problems: Vec<ProblemEntry>,
}

impl RegistryError {
    /// Every contradiction, with its places.
    pub fn problems(&self) -> &[ProblemEntry] {
        &self.problems
    }
}

impl fmt::Display for RegistryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, problem) in self.problems.iter().enumerate() {
            let gap = if at > 0 { "\n" } else { "" };
            write!(f, "{gap}{problem}")?;
        }
        Ok(())
    }
}

/// As it is displayed, because this is what `main` and `unwrap` show of an error.
impl fmt::Debug for RegistryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for RegistryError {}

impl fmt::Display for ProblemEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        for place in &self.places {
            write!(f, "\n  {place}")?;
        }
        Ok(())
    }
}

impl fmt::Display for catalogue::Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}:{}", self.package, self.file, self.line)?;
        if self.what.is_empty() {
            return Ok(());
        }
        write!(f, ": {}", self.what)
    }
}

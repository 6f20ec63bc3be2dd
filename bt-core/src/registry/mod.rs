//! What the macros submit, the whole-program catalogue, look-up by name.

mod build;
pub mod catalogue;
mod check;
#[doc(hidden)]
pub mod descriptor;
#[doc(hidden)]
pub mod docs;
mod export;
pub(crate) mod lookup;
#[doc(hidden)]
pub mod members;
#[doc(hidden)]
pub mod shape;
mod type_name;
#[doc(hidden)]
pub mod value;

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use serde_json::Value;

use crate::Agent;
use crate::call::{ActionSet, CallError, Context, Outcome};
use catalogue::{Catalogue, CrateEntry, ProblemEntry};
pub use export::{ASK, MARK, export_if_asked};
pub use lookup::{AgentInfo, Found, LookupError, nearest};

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
    sets: RwLock<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
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
            .get_or_init(|| Registry::new(Catalogue::collect()))
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
                sets: RwLock::default(),
            })
        } else {
            Err(RegistryError {
                problems: catalogue.problems,
            })
        }
    }

    /// Everything as plain data.
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
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

    /// Calls an agent's action, own or inherited, by name, with arguments as JSON: an array by
    /// position, or an object by name.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use serde_json::json;
    ///
    /// #[derive(Agent)]
    /// struct Lamp { on: bool }
    ///
    /// #[agent]
    /// impl Lamp {
    ///     #[action]
    ///     fn switch(&mut self, on: bool) { self.on = on; }
    /// }
    ///
    /// let mut lamp = Lamp { on: false };
    /// let mut session = Session::new(0);
    /// let registry = Registry::global()?;
    /// registry.invoke(&mut lamp, &mut (), &mut session.context(), "switch", &json!([true]))?;
    /// assert!(lamp.on);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`CallError::is_unknown`] with the nearest names, [`CallError::is_arguments`] with every
    /// bad argument, [`CallError::is_key`] for an in-out argument whose key is unset.
    pub fn invoke<'a, 'w: 'a, 's: 'a, A: Agent>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        action: &str,
        args: &Value,
    ) -> Result<Outcome, CallError> {
        self.action_set::<A>()?
            .invoke(agent, world, cx, action, args)
    }

    /// Calls an action without a receiver, own or inherited, for which there need be no agent.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use serde_json::json;
    ///
    /// #[derive(Agent)]
    /// struct Dice;
    ///
    /// #[agent]
    /// impl Dice {
    ///     #[action]
    ///     fn seven(sides: u32) -> bool { sides >= 7 }
    /// }
    ///
    /// let mut session = Session::new(0);
    /// let mut cx = session.context();
    /// let registry = Registry::global()?;
    /// let outcome = registry.invoke_static::<Dice>(&mut (), &mut cx, "seven", &json!([6]))?;
    /// assert_eq!(outcome, Outcome::Done(false));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As of [`invoke`](Registry::invoke), and [`CallError::is_refused`] if the action has a
    /// receiver.
    pub fn invoke_static<'a, 'w: 'a, 's: 'a, A: Agent>(
        &self,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        action: &str,
        args: &Value,
    ) -> Result<Outcome, CallError> {
        self.action_set::<A>()?
            .invoke_static(world, cx, action, args)
    }

    /// The typed set of an agent's actions, collected once.
    fn action_set<A: Agent>(&self) -> Result<Arc<ActionSet<A>>, CallError> {
        let id = TypeId::of::<A>();
        let sets = self.sets.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(set) = sets.get(&id)
            && let Ok(set) = set.clone().downcast()
        {
            return Ok(set);
        }
        drop(sets);
        let set = ActionSet::<A>::collect().map_err(|why| CallError::unknown(why.to_string()))?;
        let set = Arc::new(set);
        let mut sets = self.sets.write().unwrap_or_else(PoisonError::into_inner);
        sets.insert(id, set.clone());
        Ok(set)
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.agents().map(|agent| agent.full_name());
        f.debug_set().entries(names).finish()
    }
}

/// Registrations that contradict each other.
#[derive(Debug, Clone, PartialEq, Eq)]
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

//! What a check must know of agents, and the two who know it.

use std::fmt;

use serde_json::Value;

use super::schema;
use crate::blackboard::{KeyTable, Scope};
use crate::call::{ActionSet, Source};
use crate::describe::catalogue::MethodEntry;
use crate::error::{ArgumentError, CallError};
use crate::registry::decoders::Refused;
use crate::registry::{AgentInfo, LookupError};
use crate::{Agent, Registry};

/// What a check must know of agents.
///
/// A [`Registry`] knows it: then every tree is run by the agent that it names.
pub trait Knows: Sync {
    /// The agents.
    fn registry(&self) -> &Registry;

    /// The agent that runs the trees; none where every tree is run by the agent that it names.
    fn runner(&self) -> Option<AgentInfo<'_>> {
        None
    }

    /// Whether an argument of a method takes a value, as the type's decoder has it; none where the
    /// decoder cannot be asked, and only the type's schema is known.
    #[doc(hidden)]
    fn takes(&self, method: &MethodEntry, argument: usize, value: &Value) -> Taken {
        self.registry().takes(method, argument, value)
    }

    /// What is wrong with a call's arguments, from the first one on.
    fn arguments(&self, method: &MethodEntry, sources: &[Source]) -> Arguments {
        let defs = &self.registry().catalogue().defs;
        let takes = |argument, value: &Value| self.takes(method, argument, value);
        schema::arguments(defs, method, sources, &takes)
    }
}

/// What a decoder says of a value; none where it was not asked.
pub type Taken = Option<Result<(), Refused>>;

/// What is wrong with the arguments of a call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[doc(hidden)]
pub struct Arguments {
    /// What the call is refused for.
    pub wrong: Vec<ArgumentError>,
    /// What a schema does not have, but the type behind it may: a name of a variant may be an
    /// alias.
    pub doubtful: Vec<ArgumentError>,
}

impl Knows for Registry {
    fn registry(&self) -> &Registry {
        self
    }
}

/// Trees that are run by one agent, whose type is not known.
#[derive(Debug, Clone, Copy)]
#[doc(hidden)]
pub struct RunBy<'r> {
    registry: &'r Registry,
    runner: AgentInfo<'r>,
}

impl<'r> RunBy<'r> {
    /// By the agent of that name.
    ///
    /// # Errors
    /// [`LookupError`] with the nearest names.
    pub fn new(registry: &'r Registry, agent: &str) -> Result<RunBy<'r>, LookupError> {
        let runner = registry.agent(agent)?;
        Ok(RunBy { registry, runner })
    }
}

impl Knows for RunBy<'_> {
    fn registry(&self) -> &Registry {
        self.registry
    }

    fn runner(&self) -> Option<AgentInfo<'_>> {
        Some(self.runner)
    }
}

/// Trees that are run by agents of type `A`: what is wrong with an argument is what its type says
/// of it.
pub struct Typed<A: Agent> {
    registry: &'static Registry,
    runner: AgentInfo<'static>,
    actions: &'static ActionSet<A>,
}

impl<A: Agent> Typed<A> {
    /// Of this program.
    ///
    /// # Errors
    /// [`CallError`] if the registrations contradict each other, or if the type is not registered.
    pub fn new() -> Result<Typed<A>, CallError> {
        let registry = Registry::global().map_err(|why| CallError::unknown(why.to_string()))?;
        let runner = registry.agent_of::<A>().ok_or_else(|| {
            let name = std::any::type_name::<A>();
            CallError::unknown_agent(format!(
                "`{name}` is no registered agent: of a generic one each type that takes part is \
                 named, `register_agent!({name})`"
            ))
        })?;
        let actions = registry.actions::<A>()?;
        Ok(Typed {
            registry,
            runner,
            actions,
        })
    }
}

impl<A: Agent> Typed<A> {
    /// What it binds.
    pub(crate) fn actions(&self) -> &'static ActionSet<A> {
        self.actions
    }

    /// The agent, as it is registered.
    pub(crate) fn agent(&self) -> AgentInfo<'static> {
        self.runner
    }
}

impl<A: Agent> Knows for Typed<A> {
    fn registry(&self) -> &Registry {
        self.registry
    }

    fn runner(&self) -> Option<AgentInfo<'_>> {
        Some(self.runner)
    }

    fn arguments(&self, method: &MethodEntry, sources: &[Source]) -> Arguments {
        let mut keys = KeyTable::new();
        let mut keys = keys.seen_from(Scope::AGENT);
        let bound = self.actions.bind_all(&method.item.name, sources, &mut keys);
        let wrong = bound.err().map(|error| error.problems().to_vec());
        Arguments {
            wrong: wrong.unwrap_or_default(),
            doubtful: Vec::new(),
        }
    }
}

impl<A: Agent> fmt::Debug for Typed<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Typed").field(&self.runner.name()).finish()
    }
}

//! The facts about agents that a check needs, and their two sources.

use std::fmt;

use serde_json::Value;

use super::schema;
use crate::blackboard::{KeyTable, Scope};
use crate::call::{ActionSet, Binding, Source};
use crate::describe::catalogue::{MethodEntry, ValueEntry};
use crate::error::{ArgumentError, CallError};
use crate::registry::decoders::Refused;
use crate::registry::{AgentInfo, LookupError};
use crate::{Agent, Registry};

/// The facts about agents that a check needs.
///
/// A [`Registry`] knows it: then every tree is run by the agent that it names.
pub trait Knows: Sync {
    /// The agents.
    fn registry(&self) -> &Registry;

    /// The agent that runs the trees; none where every tree is run by the agent that it names.
    fn runner(&self) -> Option<AgentInfo<'_>> {
        None
    }

    /// Returns whether an argument of a method takes a value, by the type's decoder; none where the decoder
    /// is not available, and only the type's schema is known.
    #[doc(hidden)]
    fn takes(&self, method: &MethodEntry, argument: usize, value: &Value) -> Taken {
        self.registry().takes(method, argument, value)
    }

    /// The faults of a call's arguments, from the first one on.
    fn arguments(&self, method: &MethodEntry, sources: &[Source]) -> Arguments {
        let defs = &self.registry().catalogue().defs;
        let takes = |argument, value: &Value| self.takes(method, argument, value);
        schema::arguments(defs, method, sources, &takes)
    }

    /// The faults of a value that is written to a property.
    fn written(&self, property: &ValueEntry, value: &Value) -> Arguments {
        schema::value(&self.registry().catalogue().defs, property, value)
    }
}

/// A decoder's answer about a value; none where there is no decoder.
pub type Taken = Option<Result<(), Refused>>;

/// The faults of a call's arguments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[doc(hidden)]
pub struct Arguments {
    /// The faults for which the call is refused.
    pub wrong: Vec<ArgumentError>,
    /// Values that the schema does not have, but the type behind it may: a name of a variant may be an alias.
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
        Typed::of(registry)
    }

    /// Of a registry that has the type.
    ///
    /// # Errors
    /// As of [`new`](Typed::new).
    pub(crate) fn of(registry: &'static Registry) -> Result<Typed<A>, CallError> {
        let runner = registry.agent_of::<A>().ok_or_else(|| {
            let name = std::any::type_name::<A>();
            CallError::unknown_agent(format!(
                "`{name}` is no registered agent: of a generic one each type that takes part is \
                 named, `register_agent!({name})`; trees of an agent that is described at run time are \
                 collected by `DynType::trees`"
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
    /// The methods that it binds.
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
        let into = &mut Binding::new(&mut keys);
        let bound = self.actions.bind_all(&method.item.name, sources, into);
        let wrong = bound.err().map(|error| error.problems().to_vec());
        Arguments {
            wrong: wrong.unwrap_or_default(),
            doubtful: Vec::new(),
        }
    }

    fn written(&self, property: &ValueEntry, value: &Value) -> Arguments {
        let found = self.actions.properties().find(&property.name);
        let wrong = found.and_then(|found| found.can_hold(value)).err();
        Arguments {
            wrong: wrong.map_or_else(Vec::new, |error| error.problems().to_vec()),
            doubtful: Vec::new(),
        }
    }
}

impl<A: Agent> fmt::Debug for Typed<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Typed").field(&self.runner.name()).finish()
    }
}

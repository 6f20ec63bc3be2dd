//! An agent's actions, own and inherited, typed: by name, to bind or to call.

use std::collections::HashMap;
use std::fmt;

use serde_json::Value;

use super::gather::Members;
use super::names::{Kind, Names};
use super::{Action, BoundCall, CallError, Context, Keys, Outcome, Source};
use crate::Agent;
use crate::registry::RegistryError;

/// Every action, condition and decorator that an agent has, own and inherited: by name, to bind or
/// to call.
pub struct ActionSet<A: Agent> {
    actions: Vec<Action<A>>,
    index: HashMap<&'static str, usize>,
    names: Names,
}

impl<A: Agent> ActionSet<A> {
    /// Collects the methods of `A` and of its bases from every linked crate.
    ///
    /// # Errors
    /// [`RegistryError`] if the registrations contradict each other.
    pub fn collect() -> Result<ActionSet<A>, &'static RegistryError> {
        Members::collect().map(ActionSet::of)
    }

    pub(crate) fn of(members: Members<A>) -> ActionSet<A> {
        let actions = members.actions;
        let mut index = HashMap::new();
        // The nearest agent's wins, and a name before an alias.
        for (at, action) in actions.iter().enumerate() {
            index.entry(action.name()).or_insert(at);
        }
        for (at, action) in actions.iter().enumerate() {
            for alias in action.desc.item.aliases() {
                index.entry(alias).or_insert(at);
            }
        }
        ActionSet {
            actions,
            index,
            names: members.names,
        }
    }

    /// The names of the methods, aliases included, sorted.
    pub fn names(&self) -> Vec<&'static str> {
        let mut names: Vec<_> = self.index.keys().copied().collect();
        names.sort_unstable();
        names
    }

    /// The method of that name or alias.
    ///
    /// # Errors
    /// [`CallError::is_unknown`] with the nearest names, or with what the name stands for.
    pub fn find(&self, name: &str) -> Result<&Action<A>, CallError> {
        match self.index.get(name) {
            Some(at) => Ok(&self.actions[*at]),
            None => Err(self.names.unknown(Kind::Action, name)),
        }
    }

    /// Resolves one source for each argument; a blackboard key becomes a slot of `keys`.
    ///
    /// # Errors
    /// [`CallError::is_unknown`] if there is no such method, [`CallError::is_arguments`] with every
    /// bad argument.
    pub fn bind(
        &self,
        name: &str,
        sources: impl IntoIterator<Item = Source>,
        keys: &mut dyn Keys,
    ) -> Result<Box<dyn BoundCall<A>>, CallError> {
        let sources: Vec<_> = sources.into_iter().collect();
        self.find(name)?.bind(&sources, keys)
    }

    /// Calls a method by name with arguments as JSON: an array by position, or an object by name.
    ///
    /// # Errors
    /// [`CallError::is_unknown`] if there is no such method, [`CallError::is_arguments`] with every
    /// bad argument.
    pub fn invoke<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        name: &str,
        args: &Value,
    ) -> Result<Outcome, CallError> {
        self.find(name)?.invoke(agent, world, cx, args)
    }

    /// Calls a method without a receiver, for which there need be no agent.
    ///
    /// # Errors
    /// As of [`invoke`](ActionSet::invoke), and [`CallError::is_refused`] if it has a receiver.
    pub fn invoke_static<'a, 'w: 'a, 's: 'a>(
        &self,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        name: &str,
        args: &Value,
    ) -> Result<Outcome, CallError> {
        self.find(name)?.invoke_static(world, cx, args)
    }
}

impl<A: Agent> fmt::Debug for ActionSet<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

//! An agent's actions, own and inherited, typed: by name, to bind or to call.

use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde_json::Value;

use super::expression::Fetch;
use super::fallback::{BoundFallback, FallbackHandler, given};
use super::gather::Members;
use super::names::Kind;
use super::property::WithProperties;
use super::resolve::Origin;
#[cfg(feature = "dynamic")]
use super::stand_in::StoodIn;
use super::{Action, Binding, BoundCall, Context, Outcome, PropertySet, Source};
use crate::Agent;
use crate::blackboard::{KeyId, Keys};
use crate::error::CallError;
use crate::text;

/// Every action, condition, query and decorator that an agent has, own and inherited: by name, to bind or
/// to call.
///
/// ```
/// use bt_core::prelude::*;
/// use bt_core::{ActionSet, Source};
///
/// #[derive(Agent, Default)]
/// struct Hen { eggs: u32 }
///
/// #[agent]
/// impl Hen {
///     #[action]
///     fn lay(&mut self, eggs: u32) { self.eggs += eggs; }
/// }
///
/// // Names and arguments are resolved once; a bound call compares no names.
/// let actions = ActionSet::<Hen>::collect()?;
/// let mut session = Session::new(0);
/// let lay = actions.bind("lay", [Source::literal(2)], &mut session.blackboard())?;
/// let mut hen = Hen::default();
/// for _ in 0..3 {
///     lay.call(&mut hen, &mut (), &mut session.context())?;
/// }
/// assert_eq!(hen.eggs, 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ActionSet<A: Agent> {
    actions: Vec<Action<A>>,
    index: FxHashMap<&'static str, usize>,
    fallback: Option<Arc<dyn FallbackHandler<A>>>,
    properties: PropertySet<A>,
}

impl<A: Agent> ActionSet<A> {
    pub(crate) fn of(members: Members<A>) -> ActionSet<A> {
        let properties = PropertySet::of(&members);
        let actions = members.actions;
        let mut index = FxHashMap::default();
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
            fallback: members.fallback,
            properties,
        }
    }

    /// The names of the methods, aliases included, sorted.
    pub fn names(&self) -> Vec<&'static str> {
        let mut names: Vec<_> = self.index.keys().copied().collect();
        names.sort_unstable();
        names
    }

    /// The properties beside them.
    pub fn properties(&self) -> &PropertySet<A> {
        &self.properties
    }

    /// Returns true if a `#[fallback]`, the agent's own or a base's, answers for names that are none of
    /// these.
    pub fn has_fallback(&self) -> bool {
        self.fallback.is_some()
    }

    /// The method of that name or alias.
    ///
    /// # Errors
    /// [`CallError::is_unknown`] with the nearest names, or with what the name stands for.
    pub fn find(&self, name: &str) -> Result<&Action<A>, CallError> {
        self.known(name).ok_or_else(|| self.unknown(name))
    }

    #[inline(always)]
    fn known(&self, name: &str) -> Option<&Action<A>> {
        Some(&self.actions[*self.index.get(name)?])
    }

    fn unknown(&self, name: &str) -> CallError {
        self.properties.names.unknown(Kind::Action, name)
    }

    /// Resolves one source for each argument; a blackboard key becomes a slot of `keys`, a property
    /// is read before each call. A name that is no method's is bound to the fallback, if there is
    /// one, which gets the values.
    ///
    /// # Errors
    /// [`CallError::is_unknown`] if there is no such method and no fallback, or no such property,
    /// [`CallError::is_arguments`] with every bad argument.
    pub fn bind(
        &self,
        name: &str,
        sources: impl IntoIterator<Item = Source>,
        keys: &mut dyn Keys,
    ) -> Result<Box<dyn BoundCall<A>>, CallError> {
        let sources: Vec<_> = sources.into_iter().collect();
        self.bind_all(name, &sources, &mut Binding::new(keys))
    }

    /// [`bind`](ActionSet::bind), for sources that are kept.
    pub(crate) fn bind_all(
        &self,
        name: &str,
        sources: &[Source],
        keys: &mut Binding<'_>,
    ) -> Result<Box<dyn BoundCall<A>>, CallError> {
        let (mut reads, mut unknown) = (Vec::new(), Vec::new());
        let origins = self.origins(sources, keys, &mut reads, &mut unknown);
        let call = match (self.known(name), &self.fallback) {
            (Some(action), _) => action.bind(&origins),
            (None, Some(fallback)) => {
                let bound = BoundFallback::new(fallback.clone(), name, &origins);
                Ok(Box::new(bound) as Box<dyn BoundCall<A>>)
            }
            (None, None) => Err(self.unknown(name)),
        };
        if !unknown.is_empty() {
            let all = unknown.join("; ");
            return Err(match call {
                Ok(_) => CallError::unknown(all).about(&format!("`{}`", text::name(name))),
                Err(error) => error.and(&all),
            });
        }
        let call = call?;
        let action = self.known(name);
        #[cfg(feature = "dynamic")]
        if let Some(by) = &keys.stand_in {
            let call = StoodIn::new(name, action, &origins, call, by.clone());
            return Ok(Box::new(WithProperties {
                reads,
                call: Box::new(call),
                typed: None,
            }));
        }
        if reads.is_empty() {
            return Ok(call);
        }
        let typed = action.and_then(|action| action.bind_fields(&origins, &reads));
        Ok(Box::new(WithProperties { reads, call, typed }))
    }

    /// Looks up sources, and notes what is read into slots before a call, and what is unknown.
    pub(super) fn origins<'s>(
        &self,
        sources: &'s [Source],
        keys: &mut Binding<'_>,
        reads: &mut Vec<(Fetch<A>, KeyId)>,
        unknown: &mut Vec<String>,
    ) -> Vec<Origin<'s>> {
        let mut origins = Vec::with_capacity(sources.len());
        // First those of the sources, in their order: expressions have slots of their own.
        let slots: Vec<_> = sources
            .iter()
            .map(|source| match source {
                Source::Literal(_) | Source::Key(_) => None,
                Source::Property(_) | Source::Expression(_) => Some(keys.anonymous()),
            })
            .collect();
        for (source, slot) in sources.iter().zip(slots) {
            origins.push(match source {
                Source::Literal(value) => Origin::Literal(value),
                Source::Key(key) => Origin::Key(keys.intern(key), key),
                Source::Property(property) => {
                    let id = slot.unwrap_or_else(|| keys.anonymous());
                    match self.properties().find(property) {
                        Ok(found) => reads.push((Fetch::Property(Box::new(found.clone())), id)),
                        Err(error) => unknown.push(error.to_string()),
                    }
                    Origin::Property(id, property)
                }
                Source::Expression(text) => {
                    let id = slot.unwrap_or_else(|| keys.anonymous());
                    match self.bind_expression(text, keys) {
                        Ok(bound) => reads.push((Fetch::Expression(bound), id)),
                        Err(error) => unknown.push(error.to_string()),
                    }
                    Origin::Expression(id, text)
                }
            });
        }
        origins
    }

    /// Calls a method by name with arguments as JSON: an array by position, or an object by name.
    /// For a name that is no method's the fallback answers, if there is one: it gets an array's
    /// values, or the object as its only value.
    ///
    /// # Errors
    /// [`CallError::is_unknown`] if there is no such method and no fallback; else as of
    /// [`Action::invoke`].
    pub fn invoke<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        name: &str,
        args: &Value,
    ) -> Result<Outcome, CallError> {
        match self.known(name) {
            Some(action) => action.invoke(agent, world, cx, args),
            None => self.invoke_fallback(agent, world, cx, name, args),
        }
    }

    /// Calls a query or a condition by name, with arguments as those of [`invoke`](ActionSet::invoke): its
    /// answer as JSON.
    ///
    /// # Errors
    /// [`CallError::is_unknown`] if there is no such method; else as of [`Action::query`].
    pub fn query<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        name: &str,
        args: &Value,
    ) -> Result<Value, CallError> {
        match self.known(name) {
            Some(action) => action.query(agent, world, cx, args),
            None => Err(self.properties.names.unknown(Kind::Query, name)),
        }
    }

    // Never inlined: the way to a method stays short.
    #[inline(never)]
    fn invoke_fallback<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        name: &str,
        args: &Value,
    ) -> Result<Outcome, CallError> {
        let Some(fallback) = &self.fallback else {
            return Err(self.unknown(name));
        };
        let about = |error: CallError| error.about(&format!("`{}`", text::name(name)));
        let args = given(args).map_err(about)?;
        let outcome = fallback.answer(agent, world, cx, name, args);
        match cx.board().settle_writes() {
            Some(()) => Ok(outcome),
            None => Err(about(cx.take_error())),
        }
    }
}

impl<A: Agent> fmt::Debug for ActionSet<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

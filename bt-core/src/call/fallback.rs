//! `#[fallback]`: what answers for actions that nothing registers.

use std::slice;
use std::sync::Arc;

use serde_json::Value;

use super::{BoundCall, CallError, Context, Keys, Outcome, Source};
use crate::agent::{Agent, Path};
use crate::blackboard::KeyId;
use crate::registry::members::Fallback;

/// The fallback of an agent or of one of its bases.
pub(super) trait Answers<A: Agent>: Send + Sync {
    /// Answers for `name`.
    fn answer<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        name: &str,
        args: &[Value],
    ) -> Outcome;
}

/// The fallback of the agent at the end of `P`.
pub(super) struct Reached<P: Path>(pub(super) &'static Fallback<P::Leaf>);

impl<P: Path> Answers<P::Root> for Reached<P> {
    fn answer<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut P::Root,
        world: &'a mut <P::Root as Agent>::World<'w, 's>,
        cx: &mut Context<'_>,
        name: &str,
        args: &[Value],
    ) -> Outcome {
        match (self.0.call)(P::agent(agent), P::world(world), cx, name, args) {
            Some(success) => Outcome::Done(success),
            None => Outcome::Pending,
        }
    }
}

/// The arguments of a call by name: those of an array each by itself, named ones as one object.
pub(super) fn given(args: &Value) -> Result<&[Value], CallError> {
    match args {
        Value::Null => Ok(&[]),
        Value::Array(list) => Ok(list),
        Value::Object(_) => Ok(slice::from_ref(args)),
        other => Err(CallError::arguments(format!(
            "arguments are an array by position or an object by name, found {other}"
        ))),
    }
}

/// A call that the fallback answers.
pub(super) struct BoundFallback<A: Agent> {
    fallback: Arc<dyn Answers<A>>,
    name: String,
    /// `null` where a key's value goes.
    values: Vec<Value>,
    /// Where a key's value goes, and the key.
    keys: Vec<(usize, KeyId, String)>,
}

impl<A: Agent> BoundFallback<A> {
    pub(super) fn new(
        fallback: Arc<dyn Answers<A>>,
        name: &str,
        sources: impl IntoIterator<Item = Source>,
        keys: &mut dyn Keys,
    ) -> BoundFallback<A> {
        let mut bound = BoundFallback {
            fallback,
            name: name.to_owned(),
            values: Vec::new(),
            keys: Vec::new(),
        };
        for (at, source) in sources.into_iter().enumerate() {
            bound.values.push(match source {
                Source::Literal(value) => value,
                Source::Key(key) => {
                    bound.keys.push((at, keys.intern(&key), key));
                    Value::Null
                }
            });
        }
        bound
    }

    /// The values for one call.
    fn read(&self, cx: &Context<'_>) -> Result<Vec<Value>, CallError> {
        let mut values = self.values.clone();
        for (at, id, key) in &self.keys {
            let slot = cx.board().slot(*id);
            values[*at] = slot.and_then(|slot| slot.borrow().clone()).ok_or_else(|| {
                CallError::key(format!(
                    "`{}`: argument {} takes blackboard key `{key}`, which is not set",
                    self.name,
                    at + 1
                ))
            })?;
        }
        Ok(values)
    }
}

impl<A: Agent> BoundCall<A> for BoundFallback<A> {
    fn call<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Result<Outcome, CallError> {
        let fallback = &self.fallback;
        let name = self.name.as_str();
        if self.keys.is_empty() {
            return Ok(fallback.answer(agent, world, cx, name, &self.values));
        }
        let values = self.read(cx)?;
        Ok(fallback.answer(agent, world, cx, name, &values))
    }
}

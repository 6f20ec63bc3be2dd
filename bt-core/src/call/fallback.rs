//! `#[fallback]`: what answers for actions that nothing registers.

use std::borrow::Cow;
use std::slice;
use std::sync::Arc;

use serde_json::Value;

use super::method::Stepwise;
use super::resolve::Origin;
use super::{BoardKey, BoundCall, Context, Outcome};
use crate::agent::{Agent, Path};
use crate::blackboard::Blackboard;
use crate::call::table::members::Fallback;
use crate::decode::shown;
use crate::error::CallError;

/// The fallback of an agent or of one of its bases.
pub(super) trait FallbackHandler<A: Agent>: Send + Sync {
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

impl<P: Path> FallbackHandler<P::Root> for Reached<P> {
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
            "arguments are an array by position or an object by name, found {}",
            shown(other)
        ))),
    }
}

/// A call that the fallback answers.
pub(super) struct BoundFallback<A: Agent> {
    fallback: Arc<dyn FallbackHandler<A>>,
    name: String,
    /// `null` where a key's value goes.
    values: Vec<Value>,
    /// The place of each key's value, and the key.
    keys: Vec<(usize, BoardKey)>,
}

impl<A: Agent> BoundFallback<A> {
    pub(super) fn new(
        fallback: Arc<dyn FallbackHandler<A>>,
        name: &str,
        origins: &[Origin<'_>],
    ) -> BoundFallback<A> {
        let keys = origins.iter().enumerate().filter_map(|(at, origin)| {
            let key = BoardKey::of_fallback(origin, name, at + 1)?;
            Some((at, key))
        });
        let value = |origin: &Origin<'_>| match origin {
            Origin::Literal(value) => Value::clone(value),
            Origin::Key(..) | Origin::Property(..) | Origin::Expression(..) | Origin::Field(_) => {
                Value::Null
            }
        };
        BoundFallback {
            fallback,
            name: name.to_owned(),
            values: origins.iter().map(value).collect(),
            keys: keys.collect(),
        }
    }

    /// The values for one call.
    fn read(&self, board: &Blackboard) -> Option<Cow<'_, [Value]>> {
        let mut values = Cow::Borrowed(self.values.as_slice());
        for (at, key) in &self.keys {
            values.to_mut()[*at] = key.lend(board)?.clone();
        }
        Some(values)
    }
}

impl<A: Agent> BoundCall<A> for BoundFallback<A> {
    fn run<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Option<Outcome> {
        let values = self.read(cx.board())?;
        let outcome = self.fallback.answer(agent, world, cx, &self.name, &values);
        cx.board().settle_writes()?;
        Some(outcome)
    }

    fn stepwise(&self) -> Option<&dyn Stepwise<A>> {
        Some(self)
    }
}

impl<A: Agent> Stepwise<A> for BoundFallback<A> {
    fn resolve<'a, 'w: 'a, 's: 'a>(
        &self,
        _: &mut A,
        _: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Option<()> {
        self.read(cx.board()).map(drop)
    }
}

//! A method seen from an agent that has it, its own or a base's.

use std::any::Any;

use serde_json::Value;

use super::method::ReachedBound;
use super::resolve::{ArgumentSource, Origin};
use super::statics::{Static, WithoutAgent};
use super::{BoundCall, Context, Exit, Left, Outcome, Params};
use crate::agent::{Agent, Path};
use crate::call::table::members::{Call, ExitCall, Method};
use crate::error::CallError;

/// A method, whichever agent on the way registers it.
pub(super) trait Reach<A: Agent>: Send + Sync {
    /// Its parameters.
    fn params(&self) -> &Params;

    /// Resolves its arguments.
    fn bind(&self, origins: &[Origin<'_>]) -> Result<Box<dyn BoundCall<A>>, CallError>;

    /// The number of bases to the agent that it is called on; none without a receiver.
    fn depth(&self) -> Option<usize>;

    /// Calls it; none, and an error kept by the blackboard, if that cannot be.
    fn invoke<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        args: &Value,
    ) -> Option<Outcome>;

    /// Calls it without an agent; none if it has a receiver.
    fn invoke_static<'a, 'w: 'a, 's: 'a>(
        &self,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        args: &Value,
    ) -> Option<Option<Outcome>>;

    /// Calls its exit method, with arguments as those of [`invoke`](Reach::invoke); none if it has
    /// none, or if they are not what it takes: then an error is kept by the blackboard.
    fn exit<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        exit: Exit,
        args: &Value,
    ) -> Option<Left>;

    /// Calls its resume method; none if it has none.
    fn resume<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        kept: &Value,
    ) -> Option<Option<Outcome>>;
}

/// The method of the agent at the end of `P`.
pub(super) struct Reached<P: Path> {
    method: &'static Method<P::Leaf>,
    params: Params,
    /// Of an exit method that takes arguments.
    exit_params: Option<Params>,
}

impl<P: Path> Reached<P> {
    pub(super) fn new(method: &'static Method<P::Leaf>) -> Reached<P> {
        let desc = method.desc();
        let exit_params = match &method.exit {
            Some((name, ExitCall::With { shapes, params, .. })) => {
                Some(Params::new(name, params, shapes))
            }
            Some((_, ExitCall::Plain(_))) | None => None,
        };
        Reached {
            method,
            params: Params::new(desc.item.name, desc.args, desc.shapes),
            exit_params,
        }
    }
}

impl<P: Path> Reach<P::Root> for Reached<P> {
    fn params(&self) -> &Params {
        &self.params
    }

    fn bind(&self, origins: &[Origin<'_>]) -> Result<Box<dyn BoundCall<P::Root>>, CallError> {
        match self.method.call {
            Call::Own(call) => call.bind(&self.params, origins).map(through::<P>),
            Call::Static(call) => {
                let bound = call.bind(&self.params, origins)?;
                Ok(Box::new(ReachedBound::<WithoutAgent<P>>(bound)))
            }
        }
    }

    fn depth(&self) -> Option<usize> {
        match self.method.call {
            Call::Own(_) => Some(P::DEPTH),
            Call::Static(_) => None,
        }
    }

    fn invoke<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut P::Root,
        world: &'a mut <P::Root as Agent>::World<'w, 's>,
        cx: &mut Context<'_>,
        args: &Value,
    ) -> Option<Outcome> {
        let (agent, world) = (P::agent(agent), P::world(world));
        match self.method.call {
            Call::Own(call) => call.invoke(&self.params, agent, world, cx, args),
            Call::Static(call) => call.invoke(&self.params, Static::new(), world, cx, args),
        }
    }

    fn invoke_static<'a, 'w: 'a, 's: 'a>(
        &self,
        world: &'a mut <P::Root as Agent>::World<'w, 's>,
        cx: &mut Context<'_>,
        args: &Value,
    ) -> Option<Option<Outcome>> {
        match self.method.call {
            Call::Own(_) => None,
            Call::Static(call) => {
                Some(call.invoke(&self.params, Static::new(), P::world(world), cx, args))
            }
        }
    }

    fn exit<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut P::Root,
        world: &'a mut <P::Root as Agent>::World<'w, 's>,
        cx: &mut Context<'_>,
        exit: Exit,
        args: &Value,
    ) -> Option<Left> {
        let (agent, world) = (P::agent(agent), P::world(world));
        match &self.method.exit.as_ref()?.1 {
            ExitCall::Plain(hook) => Some(hook(agent, world, cx, exit)),
            ExitCall::With { hook, .. } => {
                let params = self.exit_params.as_ref()?;
                let args = self.params.pick(params, args);
                let mut giver = ArgumentSource::without_context(cx.board(), params, &args);
                hook(agent, world, cx, exit, &mut giver)
            }
        }
    }

    fn resume<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut P::Root,
        world: &'a mut <P::Root as Agent>::World<'w, 's>,
        cx: &mut Context<'_>,
        kept: &Value,
    ) -> Option<Option<Outcome>> {
        let (_, hook) = self.method.resume?;
        let returned = hook(P::agent(agent), P::world(world), cx, kept);
        let board = cx.board();
        Some(match returned {
            Ok(returned) => board.settled(returned),
            Err(error) => board.keep_error(error),
        })
    }
}

/// A bound call of the agent at the end of `P`; where that is the first, as it is.
fn through<P: Path>(bound: Box<dyn BoundCall<P::Leaf>>) -> Box<dyn BoundCall<P::Root>> {
    let mut bound = Some(bound);
    // At the end of no way root and leaf are one type, which only `Any` can say here.
    let any: &mut dyn Any = &mut bound;
    let same = any.downcast_mut::<Option<Box<dyn BoundCall<P::Root>>>>();
    match (same.and_then(Option::take), bound) {
        (Some(own), _) => own,
        (None, Some(bound)) => Box::new(ReachedBound::<P>(bound)),
        (None, None) => unreachable!("a call that was taken is there"),
    }
}

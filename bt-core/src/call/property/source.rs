//! Properties and expressions as arguments of a tree: read before each call.

use crate::agent::Agent;
use crate::blackboard::KeyId;
use crate::call::expression::Fetch;
use crate::call::method::{Stepwise, resolve, run_resolved};
use crate::call::{BoundCall, Context, Outcome};

/// A call some of whose arguments are properties or expressions: each is read into a slot that no name reaches,
/// and taken from there like a blackboard key's value. Where all of them are fields of the types that
/// the arguments have, the call takes them from the agent itself.
pub(in crate::call) struct WithProperties<A: Agent> {
    pub(in crate::call) reads: Vec<(Fetch<A>, KeyId)>,
    pub(in crate::call) call: Box<dyn BoundCall<A>>,
    pub(in crate::call) typed: Option<Box<dyn BoundCall<A>>>,
}

impl<A: Agent> BoundCall<A> for WithProperties<A> {
    fn run<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Option<Outcome> {
        if let Some(typed) = &self.typed {
            return typed.run(agent, world, cx);
        }
        self.run_by_slots(agent, world, cx)
    }

    fn stepwise(&self) -> Option<&dyn Stepwise<A>> {
        Some(self)
    }
}

impl<A: Agent> Stepwise<A> for WithProperties<A> {
    fn resolve<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Option<()> {
        self.read(agent, &mut *world, cx)?;
        resolve(&*self.call, agent, world, cx)
    }

    fn run_resolved<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Option<Outcome> {
        match &self.typed {
            // Nothing has changed the agent since.
            Some(typed) => typed.run(agent, world, cx),
            None => run_resolved(&*self.call, agent, world, cx),
        }
    }
}

impl<A: Agent> WithProperties<A> {
    // Never inlined: the way to a typed call stays as short as it is.
    #[inline(never)]
    fn run_by_slots<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Option<Outcome> {
        self.read(agent, &mut *world, cx)?;
        self.call.run(agent, world, cx)
    }

    fn read<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Option<()> {
        for (fetch, id) in &self.reads {
            match fetch.get(agent, &mut *world, cx) {
                Ok(value) => cx.board().put(*id, Some(value)),
                Err(error) => return cx.board().keep_error(error),
            }
        }
        Some(())
    }
}

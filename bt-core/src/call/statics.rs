//! What a method without a receiver is called on: nothing.

use std::fmt;
use std::marker::PhantomData;

use super::method::{Stepwise, resolve, run_resolved};
use super::{BoundCall, Context, Outcome};
use crate::agent::{Agent, NoBase, Path, from_nothing};

/// Stands in for an agent of type `A` where there is none: methods without a receiver are
/// registered for it, so they are called without an agent, and through a derived agent without the
/// way to its base.
pub struct Static<A>(PhantomData<fn(&A)>);

impl<A: 'static> Static<A> {
    #[inline]
    pub(super) fn new() -> &'static mut Static<A> {
        from_nothing(Static(PhantomData))
    }
}

impl<A> fmt::Debug for Static<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Static")
    }
}

// Nobody implements `Agent` by way of it.
#[diagnostic::do_not_recommend]
impl<A: Agent> Agent for Static<A> {
    type World<'w, 's> = A::World<'w, 's>;
    type Base = NoBase;
    type WorldKind = A::WorldKind;

    fn base(&mut self) -> &mut NoBase {
        from_nothing(NoBase)
    }

    fn base_world<'a, 'w: 'a, 's: 'a>(_: &'a mut A::World<'w, 's>) -> &'a mut () {
        from_nothing(())
    }
}

/// A bound call that leaves the agent it is given alone.
pub(super) struct StaticBound<P: Path>(pub(super) Box<dyn BoundCall<Static<P::Leaf>>>);

impl<P: Path> BoundCall<P::Root> for StaticBound<P> {
    fn run<'a, 'w: 'a, 's: 'a>(
        &self,
        _: &mut P::Root,
        world: &'a mut <P::Root as Agent>::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Option<Outcome> {
        self.0.run(Static::new(), P::world(world), cx)
    }

    fn stepwise(&self) -> Option<&dyn Stepwise<P::Root>> {
        self.0.stepwise().map(|_| self as &dyn Stepwise<P::Root>)
    }
}

impl<P: Path> Stepwise<P::Root> for StaticBound<P> {
    fn resolve<'a, 'w: 'a, 's: 'a>(
        &self,
        _: &mut P::Root,
        world: &'a mut <P::Root as Agent>::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Option<()> {
        resolve(&*self.0, Static::new(), P::world(world), cx)
    }

    fn run_resolved<'a, 'w: 'a, 's: 'a>(
        &self,
        _: &mut P::Root,
        world: &'a mut <P::Root as Agent>::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Option<Outcome> {
        run_resolved(&*self.0, Static::new(), P::world(world), cx)
    }
}

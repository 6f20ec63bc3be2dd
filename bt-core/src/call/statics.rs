//! A stand-in for the receiver of a method without one.

use std::fmt;
use std::marker::PhantomData;

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

/// The way to what a method without a receiver is called on, where `P` leads to who registers it: it
/// leaves the agent alone.
pub(super) struct WithoutAgent<P>(PhantomData<fn(&P)>);

impl<P: Path> Path for WithoutAgent<P> {
    type Root = P::Root;
    type Leaf = Static<P::Leaf>;
    const DEPTH: usize = P::DEPTH;

    fn agent(_: &mut P::Root) -> &mut Static<P::Leaf> {
        Static::new()
    }

    fn world<'a, 'w: 'a, 's: 'a>(
        world: &'a mut <P::Root as Agent>::World<'w, 's>,
    ) -> &'a mut <P::Leaf as Agent>::World<'w, 's> {
        P::world(world)
    }
}

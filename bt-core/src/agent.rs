//! The [`Agent`] trait: a type's base, its world, and the way from a derived agent to its bases.

use std::marker::PhantomData;

/// A type that trees can drive. Implemented by `#[derive(Agent)]` only.
///
/// Its name, docs and base are in the [`Registry`](crate::Registry); this trait is what the
/// compiler needs to know.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an agent",
    label = "no `#[derive(Agent)]` on this type",
    note = "write `#[derive(Agent)]` above the definition of `{Self}`"
)]
pub trait Agent: Sized + 'static {
    /// The world that its methods act on, `()` for none: lent by the caller for the time of one poll, so it
    /// may borrow.
    type World<'w, 's>;

    /// The agent whose methods it inherits: a field's type, the built-in
    /// [`ActionAgent`](crate::builtin::ActionAgent), or [`NoBase`].
    type Base: Agent;

    /// [`WithWorld`] or [`WithoutWorld`].
    #[doc(hidden)]
    type WorldKind;

    /// The base agent inside this one.
    fn base(&mut self) -> &mut Self::Base;

    /// The base agent's world inside this one's: the same, or none.
    #[doc(hidden)]
    fn base_world<'a, 'w: 'a, 's: 'a>(
        world: &'a mut Self::World<'w, 's>,
    ) -> &'a mut <Self::Base as Agent>::World<'w, 's>;

    /// Names this agent and its bases, each with the path from the agent that was asked.
    #[doc(hidden)]
    fn gather<P: Path<Leaf = Self>>(into: &mut impl Gather<P::Root>) {
        into.own::<P>();
        <Self::Base as Agent>::gather::<Then<P>>(into);
    }
}

/// The base of an agent that has none: `#[agent(no_base)]`, and the built-in agent.
#[derive(Debug)]
#[doc(hidden)]
pub struct NoBase;

impl Agent for NoBase {
    type World<'w, 's> = ();
    type Base = NoBase;
    type WorldKind = WithoutWorld;

    fn base(&mut self) -> &mut NoBase {
        self
    }

    fn base_world<'a, 'w: 'a, 's: 'a>(world: &'a mut ()) -> &'a mut () {
        world
    }

    // Ends the recursion in the type system; an end at run time only would make the compiler
    // instantiate paths for ever.
    fn gather<P: Path<Leaf = Self>>(_: &mut impl Gather<P::Root>) {}
}

/// A value of a type without fields, from nothing: a box of such a value allocates nothing.
#[doc(hidden)]
pub fn from_nothing<T>(value: T) -> &'static mut T {
    const { assert!(size_of::<T>() == 0) };
    Box::leak(Box::new(value))
}

/// Marks an agent with `#[agent(world = …)]`.
#[derive(Debug)]
#[doc(hidden)]
pub struct WithWorld;

/// Marks an agent without a world.
#[derive(Debug)]
#[doc(hidden)]
pub struct WithoutWorld;

/// An agent that acts on no world, as `poll`, `stop` and their kin need.
#[diagnostic::on_unimplemented(
    message = "`{Self}` acts on a world, and this call borrows none",
    label = "an agent with `#[agent(world = …)]`",
    note = "write `poll_in(&mut agent, &mut world, now)`, and likewise `stop_in`, `despawn_in`"
)]
pub trait Worldless: for<'w, 's> Agent<World<'w, 's> = ()> {}

#[diagnostic::do_not_recommend]
impl<A: for<'w, 's> Agent<World<'w, 's> = ()>> Worldless for A {}

/// The presence of a world for a method: [`WithWorld`] or [`WithoutWorld`].
#[diagnostic::on_unimplemented(
    message = "a method takes the `#[world]`, and its agent acts on none",
    label = "this agent has no world",
    note = "name the world on the type: `#[derive(Agent)] #[agent(world = …)] struct …`"
)]
#[doc(hidden)]
pub trait HasWorld {
    /// The world's type.
    type World<W>;
    /// Lends it.
    fn lend<W>(world: &mut W) -> &mut Self::World<W>;
}

impl HasWorld for WithWorld {
    type World<W> = W;

    #[inline]
    fn lend<W>(world: &mut W) -> &mut W {
        world
    }
}

/// The world for a method that takes it.
#[doc(hidden)]
#[inline]
pub fn lent_world<Kind: HasWorld, W>(world: &mut W) -> &mut Kind::World<W> {
    Kind::lend(world)
}

/// A world on its way to the base agent.
#[derive(Debug)]
#[doc(hidden)]
pub struct Lent<'a, T>(pub &'a mut T);

/// The base's world made of the derived agent's, by whether the base has one.
#[diagnostic::on_unimplemented(
    message = "the base agent acts on the world `{World}`, and this agent on another or on none",
    label = "a base agent has the same world, or none",
    note = "write `#[agent(world = {World})]` on this agent too, or leave the world out of the base"
)]
#[doc(hidden)]
pub trait LendTo<'a, Kind, World: 'a> {
    /// Lends it.
    fn lend(self) -> &'a mut World;
}

impl<'a, T> LendTo<'a, WithWorld, T> for Lent<'a, T> {
    fn lend(self) -> &'a mut T {
        self.0
    }
}

impl<'a, T> LendTo<'a, WithoutWorld, ()> for Lent<'a, T> {
    fn lend(self) -> &'a mut () {
        from_nothing(())
    }
}

/// Collects from an agent and its bases, the agent itself first.
#[doc(hidden)]
pub trait Gather<Root: Agent> {
    /// One of them, at the end of a path.
    fn own<P: Path<Root = Root>>(&mut self);
}

/// The way from an agent to one of its bases, as a type, so that projections compose in safe code.
#[doc(hidden)]
pub trait Path: 'static {
    /// The agent at which the way starts.
    type Root: Agent;
    /// The agent at which it ends.
    type Leaf: Agent;
    /// The base inside the agent.
    fn agent(root: &mut Self::Root) -> &mut Self::Leaf;
    /// The base's world inside the agent's.
    fn world<'a, 'w: 'a, 's: 'a>(
        world: &'a mut <Self::Root as Agent>::World<'w, 's>,
    ) -> &'a mut <Self::Leaf as Agent>::World<'w, 's>;
    /// The number of bases on the way.
    const DEPTH: usize;
}

/// The way from an agent to itself.
#[derive(Debug)]
#[doc(hidden)]
pub struct Here<A>(PhantomData<fn(&A)>);

impl<A: Agent> Path for Here<A> {
    type Root = A;
    type Leaf = A;
    const DEPTH: usize = 0;

    fn agent(root: &mut A) -> &mut A {
        root
    }

    fn world<'a, 'w: 'a, 's: 'a>(world: &'a mut A::World<'w, 's>) -> &'a mut A::World<'w, 's> {
        world
    }
}

/// One base further than `P`.
#[derive(Debug)]
#[doc(hidden)]
pub struct Then<P>(PhantomData<fn(&P)>);

impl<P: Path> Path for Then<P> {
    type Root = P::Root;
    type Leaf = <P::Leaf as Agent>::Base;
    const DEPTH: usize = P::DEPTH + 1;

    fn agent(root: &mut P::Root) -> &mut Self::Leaf {
        P::agent(root).base()
    }

    fn world<'a, 'w: 'a, 's: 'a>(
        world: &'a mut <P::Root as Agent>::World<'w, 's>,
    ) -> &'a mut <Self::Leaf as Agent>::World<'w, 's> {
        P::Leaf::base_world(P::world(world))
    }
}

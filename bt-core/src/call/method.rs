//! A registered method as something that can be bound or called.

use std::fmt;

use serde_json::Value;

use super::args::{Args, backs};
use super::param::Params;
use super::resolve::{ArgumentSource, Binder, Origin};
use super::{
    ActionResult, CompositeResult, ConditionResult, Context, DecoratorResult, Outcome, Returned,
};
use crate::agent::{Agent, Path};
use crate::blackboard::Blackboard;
use crate::describe::catalogue::ReturnKind;
use crate::describe::value::Shape;
use crate::error::CallError;

/// A call whose arguments are resolved: what a tree's leaf holds.
pub trait BoundCall<A: Agent>: Send + Sync {
    /// Calls the method; none, and an error in `cx`, if that cannot be. One byte, which comes back
    /// in a register: use [`call`](trait.BoundCall.html#method.call).
    #[doc(hidden)]
    fn run<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Option<Outcome>;

    /// The same in two steps, where there is something to resolve. (Two methods here would be compiled
    /// for each method that is registered.)
    #[doc(hidden)]
    fn stepwise(&self) -> Option<&dyn Stepwise<A>> {
        None
    }
}

/// A call in two steps: what is made after something was said of it.
pub trait Stepwise<A: Agent>: BoundCall<A> {
    /// Resolves the arguments, and calls nothing. None, and an error in `cx`, if one cannot be
    /// resolved.
    fn resolve<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Option<()>;

    /// Calls the method right after that: properties are not read again.
    fn run_resolved<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Option<Outcome> {
        self.run(agent, world, cx)
    }
}

impl<A: Agent> dyn BoundCall<A> + '_ {
    /// Calls the method.
    ///
    /// # Errors
    /// [`CallError::is_key`] if a blackboard key is unset or of another type, or if the method
    /// wrote what a declared key cannot hold.
    #[inline]
    pub fn call<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Result<Outcome, CallError> {
        match self.run(agent, world, cx) {
            Some(outcome) => Ok(outcome),
            None => Err(cx.take_error()),
        }
    }
}

/// A method of any signature.
pub trait AnyCall<A: Agent>: Sync {
    /// The sort of its return type, and true for a `Result`.
    fn result(&self) -> (ReturnKind, bool);

    /// The shapes of its parameters' types.
    fn shapes(&self) -> &'static [Shape];

    /// Resolves its arguments.
    ///
    /// # Errors
    /// [`CallError::is_arguments`] with every bad argument.
    fn bind(
        &self,
        params: &Params,
        origins: &[Origin<'_>],
    ) -> Result<Box<dyn BoundCall<A>>, CallError>;

    /// Calls it with arguments as JSON: an array by position, or an object by name; none, and an
    /// error kept by the blackboard, if that cannot be.
    fn invoke<'a, 'w: 'a, 's: 'a>(
        &self,
        params: &Params,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        args: &Value,
    ) -> Option<Outcome>;
}

impl<A: Agent> fmt::Debug for dyn AnyCall<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyCall").finish_non_exhaustive()
    }
}

/// A method whose parameters are known: what is left to compile for each method by itself. What
/// can be shared by all methods of the same parameters is in [`Callable`].
pub trait Typed<A: Agent, T: Args>: Send + Sync {
    /// The sort of its return type, and true for a `Result`.
    fn result(&self) -> (ReturnKind, bool);

    /// Keeps arguments that come from no key.
    fn bind(&self, literals: T::Literals) -> Box<dyn BoundCall<A>>;

    /// Calls the method with values.
    fn with<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        board: &Blackboard,
        values: T::Guards<'_>,
    ) -> Option<Outcome>;
}

/// A method, reached through what is generic over its parameters only.
pub struct Callable<A: 'static, T: 'static>(&'static dyn Typed<A, T>)
where
    A: Agent,
    T: Args;

impl<A: Agent, T: Args> AnyCall<A> for Callable<A, T> {
    fn result(&self) -> (ReturnKind, bool) {
        self.0.result()
    }

    fn shapes(&self) -> &'static [Shape] {
        T::SHAPES
    }

    fn bind(
        &self,
        params: &Params,
        origins: &[Origin<'_>],
    ) -> Result<Box<dyn BoundCall<A>>, CallError> {
        match T::slots(Binder::new(origins, params)) {
            Ok(slots) => Ok(match T::literals(&slots) {
                Some(literals) => self.0.bind(literals),
                None => Box::new(Keyed {
                    slots,
                    method: self.0,
                }),
            }),
            Err(error) => Err(error),
        }
    }

    fn invoke<'a, 'w: 'a, 's: 'a>(
        &self,
        params: &Params,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        args: &Value,
    ) -> Option<Outcome> {
        let board = cx.board();
        begin_holding(self.0, board);
        match T::given(&mut ArgumentSource::new(cx.reborrow(), params, args)) {
            Some(values) => self.0.with(agent, world, board, values),
            None => None,
        }
    }
}

macro_rules! callable {
    ($($(#[$doc:meta])* $name:ident: $result:ident)*) => {$(
        $(#[$doc])*
        ///
        /// The macros write `action::<Self, (…), _, _>(&|agent, world, (a0, a1)| …)`: every bound
        /// is here, so the compiler proves it once for each method.
        pub const fn $name<A, T, F, R>(f: &'static F) -> Callable<A, T>
        where
            A: Agent,
            T: Args,
            F: for<'x, 'a, 'w, 's> Fn(&'x mut A, &'x mut A::World<'w, 's>, T::Guards<'a>) -> R
                + Copy
                + Send
                + Sync,
            R: $result + 'static,
        {
            // Evaluated here, and so by the compiler: the context is taken once.
            let _ = T::SHAPES;
            Callable(f)
        }
    )*};
}

callable! {
    /// An action.
    action: ActionResult
    /// A condition.
    condition: ConditionResult
    /// A decorator.
    decorator: DecoratorResult
    /// A composite.
    composite: CompositeResult
}

impl<A, T, F, R> Typed<A, T> for F
where
    A: Agent,
    T: Args,
    F: for<'x, 'a, 'w, 's> Fn(&'x mut A, &'x mut A::World<'w, 's>, T::Guards<'a>) -> R
        + Copy
        + Send
        + Sync
        + 'static,
    R: ActionResult + 'static,
{
    fn result(&self) -> (ReturnKind, bool) {
        (R::KIND, R::FALLIBLE)
    }

    fn bind(&self, literals: T::Literals) -> Box<dyn BoundCall<A>> {
        Box::new(Bound::<T, F> { literals, f: *self })
    }

    fn with<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        board: &Blackboard,
        values: T::Guards<'_>,
    ) -> Option<Outcome> {
        board.ended::<T>(self(agent, world, values).returned())
    }
}

/// A call begins that may have arguments which are written back.
#[inline]
fn begin_holding<A: Agent, T: Args>(method: &dyn Typed<A, T>, board: &Blackboard) {
    if T::WRITES_BACK {
        let (_, fallible) = method.result();
        board.begin_holding(fallible, const { backs(T::SHAPES) > 1 });
    }
}

/// A call that takes nothing from keys: one indirect call, with nothing left to decide.
struct Bound<T: Args, F> {
    literals: T::Literals,
    f: F,
}

impl<A, T, F, R> BoundCall<A> for Bound<T, F>
where
    A: Agent,
    T: Args,
    F: for<'x, 'a, 'w, 's> Fn(&'x mut A, &'x mut A::World<'w, 's>, T::Guards<'a>) -> R
        + Copy
        + Send
        + Sync
        + 'static,
    R: ActionResult + 'static,
{
    fn run<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Option<Outcome> {
        let board = cx.board();
        let values = T::lend(&self.literals, cx.reborrow());
        // Not by `with`: in a build without optimisation that is a frame more for each leaf.
        board.ended::<T>((self.f)(agent, world, values).returned())
    }
}

/// A call that takes values from keys: one type for all methods of an agent that take the same, so
/// that it is compiled for those but once, at the price of a second indirect call.
struct Keyed<A: Agent, T: Args> {
    slots: T::Slots,
    method: &'static dyn Typed<A, T>,
}

impl<A: Agent, T: Args> BoundCall<A> for Keyed<A, T> {
    fn run<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Option<Outcome> {
        let board = cx.board();
        begin_holding(self.method, board);
        match T::fetch(&self.slots, cx.reborrow(), agent) {
            Some(values) => self.method.with(agent, world, board, values),
            None => None,
        }
    }

    fn stepwise(&self) -> Option<&dyn Stepwise<A>> {
        Some(self)
    }
}

impl<A: Agent, T: Args> Stepwise<A> for Keyed<A, T> {
    fn resolve<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        _: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Option<()> {
        T::fetch(&self.slots, cx.reborrow(), agent).map(drop)
    }
}

impl Blackboard {
    /// The outcome of a call, with what it wrote written; none, and an error kept, if what it
    /// wrote cannot be.
    #[inline]
    fn ended<T: Args>(&self, returned: Returned) -> Option<Outcome> {
        if T::WRITES_BACK {
            self.end_of_call(&returned);
        }
        if T::WRITES {
            self.settled(returned)
        } else {
            Some(self.outcome(returned))
        }
    }

    fn end_of_call(&self, returned: &Returned) {
        self.end_holding(matches!(returned, Returned::Failed(_)));
    }

    /// As if it was a method that can write.
    #[inline]
    pub(super) fn settled(&self, returned: Returned) -> Option<Outcome> {
        let outcome = self.outcome(returned);
        self.settle_writes()?;
        Some(outcome)
    }

    #[inline]
    fn outcome(&self, returned: Returned) -> Outcome {
        match returned {
            Returned::As(outcome) => outcome,
            Returned::Answered(value) => {
                self.keep_answer(value);
                Outcome::Done(true)
            }
            Returned::Chosen(child) => {
                self.keep_answer(child.into());
                Outcome::Run
            }
            Returned::Failed(why) => {
                self.set_failure(Some(why));
                Outcome::Done(false)
            }
        }
    }
}

/// A bound call of what is at the end of `P`: a base's, or one without a receiver.
pub(super) struct ReachedBound<P: Path>(pub(super) Box<dyn BoundCall<P::Leaf>>);

impl<P: Path> BoundCall<P::Root> for ReachedBound<P> {
    #[inline]
    fn run<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut P::Root,
        world: &'a mut <P::Root as Agent>::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Option<Outcome> {
        self.0.run(P::agent(agent), P::world(world), cx)
    }

    fn stepwise(&self) -> Option<&dyn Stepwise<P::Root>> {
        self.0.stepwise().map(|_| self as &dyn Stepwise<P::Root>)
    }
}

impl<P: Path> Stepwise<P::Root> for ReachedBound<P> {
    fn resolve<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut P::Root,
        world: &'a mut <P::Root as Agent>::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Option<()> {
        resolve(&*self.0, P::agent(agent), P::world(world), cx)
    }

    fn run_resolved<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut P::Root,
        world: &'a mut <P::Root as Agent>::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Option<Outcome> {
        run_resolved(&*self.0, P::agent(agent), P::world(world), cx)
    }
}

/// The first step of a call; nothing where there is nothing to resolve.
pub(crate) fn resolve<'a, 'w: 'a, 's: 'a, A: Agent>(
    call: &dyn BoundCall<A>,
    agent: &mut A,
    world: &'a mut A::World<'w, 's>,
    cx: &mut Context<'_>,
) -> Option<()> {
    match call.stepwise() {
        Some(call) => call.resolve(agent, world, cx),
        None => Some(()),
    }
}

/// The second step of a call.
pub(crate) fn run_resolved<'a, 'w: 'a, 's: 'a, A: Agent>(
    call: &dyn BoundCall<A>,
    agent: &mut A,
    world: &'a mut A::World<'w, 's>,
    cx: &mut Context<'_>,
) -> Option<Outcome> {
    match call.stepwise() {
        Some(call) => call.run_resolved(agent, world, cx),
        None => call.run(agent, world, cx),
    }
}

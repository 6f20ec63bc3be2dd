//! A registered method as something that can be bound or called.

use std::any::TypeId;
use std::collections::HashMap;
use std::fmt;

use serde_json::Value;

use super::args::Args;
use super::param::Params;
use super::resolve::{Binder, Giver, Source};
use super::{
    ActionResult, CallError, ConditionResult, Context, DecoratorResult, Outcome, Returned,
};
use crate::agent::{Agent, Here, Path};
use crate::blackboard::Keys;
use crate::registry::catalogue::ReturnKind;
use crate::registry::descriptor::{Registration, Table};
use crate::registry::lookup::suggest;
use crate::registry::members::{Method, MethodDesc};
use crate::registry::value::Shape;
use crate::registry::{Registry, RegistryError};

/// A call whose arguments are resolved: what a tree's leaf holds.
pub trait BoundCall<A: Agent>: Send + Sync {
    /// Calls the method.
    ///
    /// # Errors
    /// [`CallError::is_key`] if a blackboard key is unset or of another type.
    fn call<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Result<Outcome, CallError>;
}

/// A method of any signature.
pub trait AnyCall<A: Agent>: Sync {
    /// What its return type means, and whether it is a `Result`.
    fn result(&self) -> (ReturnKind, bool);

    /// What the types of its parameters say.
    fn shapes(&self) -> &'static [Shape];

    /// Resolves its arguments.
    ///
    /// # Errors
    /// [`CallError::is_arguments`] with every bad argument.
    fn bind(
        &self,
        params: &Params,
        sources: &[Source],
        keys: &mut dyn Keys,
    ) -> Result<Box<dyn BoundCall<A>>, CallError>;

    /// Calls it with arguments as JSON: an array by position, or an object by name.
    ///
    /// # Errors
    /// [`CallError::is_arguments`] with every bad argument.
    fn invoke<'a, 'w: 'a, 's: 'a>(
        &self,
        params: &Params,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        args: &Value,
    ) -> Result<Outcome, CallError>;
}

impl<A: Agent> fmt::Debug for dyn AnyCall<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyCall").finish_non_exhaustive()
    }
}

/// A method whose parameters are known: what is left to compile for each method by itself. What
/// can be shared by all methods of the same parameters is in [`Callable`].
pub trait Typed<A: Agent, T: Args>: Sync {
    /// What its return type means, and whether it is a `Result`.
    fn result(&self) -> (ReturnKind, bool);

    /// Keeps the resolved arguments.
    fn bind(&self, slots: T::Slots) -> Box<dyn BoundCall<A>>;

    /// Calls the method.
    fn with<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        guards: T::Guards<'_>,
    ) -> Returned;
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
        sources: &[Source],
        keys: &mut dyn Keys,
    ) -> Result<Box<dyn BoundCall<A>>, CallError> {
        match T::slots(Binder::new(sources, params, keys)) {
            Ok(slots) => Ok(self.0.bind(slots)),
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
    ) -> Result<Outcome, CallError> {
        let returned = match T::given(Giver::new(cx.reborrow(), params, args)) {
            Ok(guards) => self.0.with(agent, world, guards),
            Err(error) => return Err(error),
        };
        settle(returned, cx)
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

    fn bind(&self, slots: T::Slots) -> Box<dyn BoundCall<A>> {
        Box::new(Bound::<T, F> { slots, f: *self })
    }

    #[inline]
    fn with<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        guards: T::Guards<'_>,
    ) -> Returned {
        self(agent, world, guards).returned()
    }
}

struct Bound<T: Args, F> {
    slots: T::Slots,
    f: F,
}

impl<A, T, F> BoundCall<A> for Bound<T, F>
where
    A: Agent,
    T: Args,
    F: Typed<A, T> + Send,
{
    fn call<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Result<Outcome, CallError> {
        // No `?`: this is compiled for each method, and a `match` is half as much code.
        let returned = match T::fetch(&self.slots, cx.reborrow()) {
            Ok(guards) => self.f.with(agent, world, guards),
            Err(error) => return Err(error),
        };
        settle(returned, cx)
    }
}

#[inline]
fn settle(returned: Returned, cx: &mut Context<'_>) -> Result<Outcome, CallError> {
    match returned {
        Returned::As(outcome) => Ok(outcome),
        Returned::Failed(why) => {
            cx.fail(why);
            Ok(Outcome::Done(false))
        }
    }
}

/// A base agent's method, reached through the derived agent.
struct Inherited<P: Path>(&'static dyn AnyCall<P::Leaf>);

impl<P: Path> AnyCall<P::Root> for Inherited<P> {
    fn result(&self) -> (ReturnKind, bool) {
        self.0.result()
    }

    fn shapes(&self) -> &'static [Shape] {
        self.0.shapes()
    }

    fn bind(
        &self,
        params: &Params,
        sources: &[Source],
        keys: &mut dyn Keys,
    ) -> Result<Box<dyn BoundCall<P::Root>>, CallError> {
        let inner = self.0.bind(params, sources, keys)?;
        Ok(Box::new(InheritedBound::<P>(inner)))
    }

    fn invoke<'a, 'w: 'a, 's: 'a>(
        &self,
        params: &Params,
        agent: &mut P::Root,
        world: &'a mut <P::Root as Agent>::World<'w, 's>,
        cx: &mut Context<'_>,
        args: &Value,
    ) -> Result<Outcome, CallError> {
        self.0
            .invoke(params, P::agent(agent), P::world(world), cx, args)
    }
}

struct InheritedBound<P: Path>(Box<dyn BoundCall<P::Leaf>>);

impl<P: Path> BoundCall<P::Root> for InheritedBound<P> {
    fn call<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut P::Root,
        world: &'a mut <P::Root as Agent>::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Result<Outcome, CallError> {
        self.0.call(P::agent(agent), P::world(world), cx)
    }
}

/// A method of an agent or of one of its bases.
pub struct Action<A: Agent> {
    desc: MethodDesc,
    params: Params,
    call: Reach<A>,
}

enum Reach<A: Agent> {
    Own(&'static dyn AnyCall<A>),
    Inherited(Box<dyn AnyCall<A> + Send>),
}

impl<A: Agent> Action<A> {
    fn call(&self) -> &dyn AnyCall<A> {
        match &self.call {
            Reach::Own(call) => *call,
            Reach::Inherited(call) => &**call,
        }
    }
}

/// Takes the methods that [`Agent::gather`] finds, nearest first.
pub trait ActionSink<A: Agent> {
    /// Takes one.
    fn take(&mut self, action: Action<A>);
}

/// Hands over what the blocks of one agent on the way register.
pub(crate) fn gather_own<P: Path>(sink: &mut dyn ActionSink<P::Root>) {
    for table in tables::<P::Leaf>() {
        for method in table.methods {
            let call = if P::DEPTH == 0 {
                own::<P>(method)
            } else {
                Reach::Inherited(Box::new(Inherited::<P>(method.call)))
            };
            let desc = method.desc();
            let params = Params::new(desc.item.name, desc.args, desc.shapes);
            sink.take(Action { desc, params, call });
        }
    }
}

fn own<P: Path>(method: &'static Method<P::Leaf>) -> Reach<P::Root> {
    // At depth 0 root and leaf are one type, which only `Any` can say here.
    let call: &dyn std::any::Any = &method.call;
    match call.downcast_ref::<&'static dyn AnyCall<P::Root>>() {
        Some(call) => Reach::Own(*call),
        None => Reach::Inherited(Box::new(Inherited::<P>(method.call))),
    }
}

/// The tables of all blocks of one agent, in no particular order.
pub(crate) fn tables<A: Agent>() -> impl Iterator<Item = &'static Table<A>> {
    let tables = inventory::iter::<Registration>().flat_map(|registration| {
        let (id, table, parts) = match registration {
            Registration::Agent(agent) => (Some(agent.id), Some(agent.table), agent.parts),
            Registration::Block(block) => (Some(block.id), Some(block.table), &[][..]),
            Registration::Generic(_) => (None, None, &[][..]),
        };
        let own = id.is_some_and(|id| id() == TypeId::of::<A>());
        let parts = parts.iter().flatten().map(|part| part.table);
        table.into_iter().chain(parts).filter(move |_| own)
    });
    tables.filter_map(|table| table.as_any().downcast_ref::<Table<A>>())
}

/// Every method that an agent has, own and inherited, typed: by name, to bind or to call.
pub struct ActionSet<A: Agent> {
    actions: Vec<Action<A>>,
    index: HashMap<&'static str, usize>,
}

impl<A: Agent> ActionSink<A> for Vec<Action<A>> {
    fn take(&mut self, action: Action<A>) {
        self.push(action);
    }
}

impl<A: Agent> ActionSet<A> {
    /// Collects the methods of `A` and of its bases from every linked crate: the one downcast.
    ///
    /// # Errors
    /// [`RegistryError`] if the registrations contradict each other.
    pub fn collect() -> Result<ActionSet<A>, &'static RegistryError> {
        Registry::global()?;
        let mut actions = Vec::new();
        A::gather::<Here<A>>(&mut actions);
        let mut index = HashMap::new();
        // The nearest agent's wins, and a name before an alias.
        for (at, action) in actions.iter().enumerate() {
            index.entry(action.desc.item.name).or_insert(at);
        }
        for (at, action) in actions.iter().enumerate() {
            for alias in action.desc.item.aliases() {
                index.entry(alias).or_insert(at);
            }
        }
        Ok(ActionSet { actions, index })
    }

    /// The names of the methods, aliases included, sorted.
    pub fn names(&self) -> Vec<&'static str> {
        let mut names: Vec<_> = self.index.keys().copied().collect();
        names.sort_unstable();
        names
    }

    fn find(&self, name: &str) -> Result<&Action<A>, CallError> {
        match self.index.get(name) {
            Some(at) => Ok(&self.actions[*at]),
            None => Err(self.unknown(name)),
        }
    }

    #[cold]
    fn unknown(&self, name: &str) -> CallError {
        let near = suggest(name, self.index.keys().copied());
        CallError::unknown(format!("no action `{name}`{near}"))
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
        let action = self.find(name)?;
        let sources: Vec<_> = sources.into_iter().collect();
        action
            .call()
            .bind(&action.params, &sources, keys)
            .map_err(|error| error.about(&format!("`{name}`")))
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
        let action = self.find(name)?;
        let outcome = action
            .call()
            .invoke(&action.params, agent, world, cx, args)
            .and_then(|outcome| cx.board().settled(outcome));
        // No `map_err`: a name is written only where there is an error.
        match outcome {
            Ok(outcome) => Ok(outcome),
            Err(error) => Err(error.about(&format!("`{name}`"))),
        }
    }
}

impl<A: Agent> fmt::Debug for ActionSet<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

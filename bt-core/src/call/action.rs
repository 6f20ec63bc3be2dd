//! An agent's action, own or inherited: what is known of it, and every way to call it.

use std::fmt;

use serde_json::Value;

use super::answer::answer;
use super::expression::Fetch;
use super::names::Kind;
use super::reach::Reach;
use super::resolve::Origin;
use super::{BoundCall, Context, Exit, Left, Outcome, Params};
use crate::Agent;
use crate::blackboard::KeyId;
use crate::call::table::descriptor::Site;
use crate::call::table::members::MethodDesc;
use crate::describe::catalogue::{MethodKind, ReturnKind};
use crate::error::CallError;

/// An action, a condition, a query, a decorator or a composite of an agent or of one of its bases.
///
/// ```
/// use bt_core::prelude::*;
/// use bt_core::{ActionSet, Left};
///
/// #[derive(Agent)]
/// struct Crane { load: u32 }
///
/// #[agent]
/// impl Crane {
///     #[action(alias = ["hoist"], exit = "put_down")]
///     fn lift(&mut self, load: u32) -> Option<bool> {
///         self.load = load;
///         None
///     }
///     fn put_down(&mut self, _cx: &mut Context, _exit: Exit) { self.load = 0; }
/// }
///
/// let actions = ActionSet::<Crane>::collect()?;
/// let lift = actions.find("hoist")?;
/// assert!(lift.name() == "lift" && lift.is_alias("hoist") && lift.is_async());
/// let mut crane = Crane { load: 0 };
/// let mut session = Session::new(0);
/// let cx = &mut session.context();
/// assert_eq!(lift.invoke(&mut crane, &mut (), cx, &[7].into())?, Outcome::Pending);
/// assert_eq!(lift.exit(&mut crane, &mut (), cx, Exit::Aborted), Left::Now);
/// assert_eq!(crane.load, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Action<A: Agent> {
    pub(super) desc: MethodDesc,
    reach: Box<dyn Reach<A>>,
    site: Site,
}

impl<A: Agent> Action<A> {
    pub(super) fn new(desc: MethodDesc, reach: Box<dyn Reach<A>>, site: Site) -> Action<A> {
        Action { desc, reach, site }
    }

    /// The place of its definition: `package/src/file.rs:7`, the file relative to the package's folder.
    pub fn place(&self) -> String {
        let Site { package, file, .. } = self.site;
        format!("{package}/{file}:{}", self.desc.item.line)
    }

    /// The registered name.
    pub fn name(&self) -> &'static str {
        self.desc.item.name
    }

    /// Returns whether it is an action, a condition, a query, a decorator or a composite.
    pub fn kind(&self) -> MethodKind {
        self.desc.kind
    }

    /// The sort of its result.
    pub fn result(&self) -> ReturnKind {
        self.desc.result
    }

    /// Returns true if an expression can call it: it is a condition or a query.
    pub(crate) fn has_answer(&self) -> bool {
        match self.desc.kind {
            MethodKind::Condition | MethodKind::Query => true,
            MethodKind::Action | MethodKind::Decorator | MethodKind::Composite => false,
        }
    }

    /// Returns true if it can be left running: it returns `Option<bool>` or `Status`.
    pub fn is_async(&self) -> bool {
        matches!(self.desc.result, ReturnKind::Async | ReturnKind::Status)
    }

    /// Returns true if it is asked in every turn what runs next.
    pub(crate) fn asks_running(&self) -> bool {
        self.desc.asking.running
    }

    /// Returns true if it returns a `Result`, whose `Err` is a failure with a reason.
    pub fn is_fallible(&self) -> bool {
        self.desc.fallible
    }

    /// Returns true if `name` is one of its aliases: old trees keep loading, and should learn the
    /// [`name`](Action::name).
    pub fn is_alias(&self, name: &str) -> bool {
        self.desc.item.aliases().any(|alias| alias == name)
    }

    /// The replacement that its `#[deprecated]` names, empty if it names none; none if it is not deprecated.
    pub fn deprecated(&self) -> Option<&'static str> {
        self.desc.item.deprecated()
    }

    /// Returns true if it has an exit method, `#[action(exit = "…")]`.
    pub fn has_exit(&self) -> bool {
        self.desc.exit.is_some()
    }

    /// The name of its exit method.
    pub(crate) fn exit_method(&self) -> Option<&'static str> {
        self.desc.exit
    }

    /// Returns true if that takes arguments of the action: then call [`exit_with`](Action::exit_with).
    pub fn exit_takes_arguments(&self) -> bool {
        !self.desc.exit_args.is_empty()
    }

    /// Returns true if it has a resume method, `#[action(resume = "…")]`.
    pub fn has_resume(&self) -> bool {
        self.desc.resume.is_some()
    }

    /// The name of its resume method.
    pub(crate) fn resume_method(&self) -> Option<&'static str> {
        self.desc.resume
    }

    /// Returns true if it has no receiver, so that it can be called without an agent.
    pub fn is_static(&self) -> bool {
        self.desc.is_static
    }

    /// Returns true if it takes the world.
    pub fn takes_world(&self) -> bool {
        self.desc.takes_world
    }

    pub(super) fn params(&self) -> &Params {
        self.reach.params()
    }

    pub(super) fn bind(&self, origins: &[Origin<'_>]) -> Result<Box<dyn BoundCall<A>>, CallError> {
        let bound = self.reach.bind(origins);
        bound.map_err(|error| self.about(error))
    }

    /// The same with properties that are fields, each as what it is; none if one is no field, or not of
    /// the type and with the values that the argument has.
    pub(super) fn bind_fields(
        &self,
        origins: &[Origin<'_>],
        fetches: &[(Fetch<A>, KeyId)],
    ) -> Option<Box<dyn BoundCall<A>>> {
        let depth = self.reach.depth()?;
        let fields = fetches.iter().map(|(fetch, _)| match fetch {
            Fetch::Property(property) => property.field(depth),
            Fetch::Expression(_) => None,
        });
        let fields: Vec<_> = fields.collect::<Option<_>>()?;
        let mut fields = fields.iter();
        let origins = origins.iter().map(|origin| match origin {
            Origin::Property(..) => fields.next().map(|field| Origin::Field(&**field)),
            other => Some(*other),
        });
        let origins: Vec<_> = origins.collect::<Option<_>>()?;
        self.reach.bind(&origins).ok()
    }

    /// Calls it with arguments as JSON: an array by position, or an object by name.
    ///
    /// # Errors
    /// [`CallError::is_arguments`] with every bad argument; [`CallError::is_key`] if the key of an in-out
    /// argument is unset or of another type, or if a declared key cannot hold what was written;
    /// [`CallError::is_refused`] if it is a query that does not answer with a bool.
    pub fn invoke<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        args: &Value,
    ) -> Result<Outcome, CallError> {
        if self.desc.result == ReturnKind::Value {
            return Err(self.not(Kind::Action));
        }
        cx.board().set_aside();
        cx.board().clear_failure();
        let outcome = self.reach.invoke(agent, world, cx, args);
        self.made(outcome, cx)
    }

    /// Calls a query or a condition, with arguments as those of [`invoke`](Action::invoke): its answer as JSON.
    ///
    /// # Errors
    /// [`CallError::is_refused`] with the reason of an `Err`, or if it is neither of them;
    /// [`CallError::is_arguments`] with every bad argument.
    pub fn query<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        args: &Value,
    ) -> Result<Value, CallError> {
        if !self.has_answer() {
            return Err(self.not(Kind::Query));
        }
        cx.board().set_aside();
        cx.board().clear_failure();
        let outcome = self.reach.invoke(agent, world, cx, args);
        let answer = answer(outcome, cx);
        answer.map_err(|error| self.about(error))
    }

    #[cold]
    fn not(&self, wanted: Kind) -> CallError {
        let kind = Kind::from(self.desc.kind);
        CallError::refused(kind.instead_of(wanted, self.name()))
    }

    /// Calls it without an agent, if it has no receiver.
    ///
    /// # Errors
    /// [`CallError::is_refused`] if it has one; else as of [`invoke`](Action::invoke).
    pub fn invoke_static<'a, 'w: 'a, 's: 'a>(
        &self,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        args: &Value,
    ) -> Result<Outcome, CallError> {
        if self.desc.result == ReturnKind::Value {
            return Err(self.not(Kind::Action));
        }
        match self.reach.invoke_static(world, cx, args) {
            Some(outcome) => self.made(outcome, cx),
            None => Err(CallError::refused(format!(
                "`{}` needs an agent: call `invoke`",
                self.name()
            ))),
        }
    }

    /// Calls its exit method, which every call that began is owed exactly once; without one,
    /// [`Left::Now`]. Where it wrote what a declared key cannot hold, that is the reason that
    /// [`Session::take_failure`](crate::Session::take_failure) gives.
    pub fn exit<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        exit: Exit,
    ) -> Left {
        self.exit_with(agent, world, cx, exit, &Value::Null)
    }

    /// The same, with the arguments of the call that is left, for an exit method that takes some of
    /// them: an array by position, or an object by name. Where they are not what it takes it is not
    /// called, and that is the reason that
    /// [`Session::take_failure`](crate::Session::take_failure) gives.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_core::{ActionSet, Left};
    /// use serde_json::json;
    ///
    /// #[derive(Agent, Default)]
    /// struct Butler { let_go: Vec<String> }
    ///
    /// #[agent]
    /// impl Butler {
    ///     #[action(exit = "put_back")]
    ///     fn bring(&self, cx: &mut Context, what: &str, _speed: f64) -> Option<bool> {
    ///         cx.finish_on("rung", true);
    ///         None
    ///     }
    ///     /// After the context and how it ends, arguments of the action that it wants.
    ///     fn put_back(&mut self, _: &mut Context, _: Exit, what: &str) {
    ///         self.let_go.push(what.to_owned());
    ///     }
    /// }
    ///
    /// let actions = ActionSet::<Butler>::collect()?;
    /// let bring = actions.find("bring")?;
    /// let (mut butler, mut session) = (Butler::default(), Session::new(0));
    /// let cx = &mut session.context();
    /// let args = json!(["tea", 1.5]);
    /// bring.invoke(&mut butler, &mut (), cx, &args)?;
    /// bring.exit_with(&mut butler, &mut (), cx, Exit::Aborted, &args);
    /// assert_eq!(butler.let_go, ["tea"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn exit_with<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        exit: Exit,
        args: &Value,
    ) -> Left {
        let left = self.reach.exit(agent, world, cx, exit, args);
        let is_called = left.is_some() || !self.has_exit();
        if cx.board().settle_writes().is_none() || !is_called {
            let error = self.about(cx.take_error());
            cx.board().set_failure(Some(error.to_string()));
        }
        left.unwrap_or(Left::Now)
    }

    /// Calls its resume method, in place of the action, with what the action
    /// [kept](Context::keep).
    ///
    /// # Errors
    /// [`CallError::is_arguments`] if what was kept is not what the method takes,
    /// [`CallError::is_refused`] if there is no such method: the action is called anew then.
    pub fn resume<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        kept: &Value,
    ) -> Result<Outcome, CallError> {
        match self.reach.resume(agent, world, cx, kept) {
            Some(resumed) => self.made(resumed, cx),
            None => Err(CallError::refused(format!(
                "`{}` has no resume method",
                self.name()
            ))),
        }
    }

    /// The outcome of a call, or the error that it left.
    #[inline]
    fn made(&self, outcome: Option<Outcome>, cx: &mut Context<'_>) -> Result<Outcome, CallError> {
        match outcome {
            Some(outcome) => Ok(outcome),
            None => Err(self.about(cx.take_error())),
        }
    }

    #[cold]
    fn about(&self, error: CallError) -> CallError {
        error.about(&format!("`{}`", self.name()))
    }
}

impl<A: Agent> fmt::Debug for Action<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Action").field(&self.name()).finish()
    }
}

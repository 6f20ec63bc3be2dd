//! The answer of a call, and the return types that can give it.

use std::fmt::Display;

use serde_json::Value;

use crate::describe::catalogue::ReturnKind;

/// The result of a polled action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// It has ended with success.
    Success,
    /// It has ended with failure.
    Failure,
    /// It has not ended: the runner calls it again in the next poll.
    Running,
}

impl From<bool> for Status {
    fn from(success: bool) -> Status {
        if success {
            Status::Success
        } else {
            Status::Failure
        }
    }
}

/// The answer of a decorator: what happens with its child.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Next {
    /// Run the child (again).
    Run,
    /// Exit with success.
    Succeed,
    /// Exit with failure.
    Fail,
}

/// The answer of a composite: which of its children runs next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NextChild {
    /// Run the child of that number, from 0.
    Run(usize),
    /// Exit with success.
    Succeed,
    /// Exit with failure.
    Fail,
}

/// The occasion on which a composite, or a decorator, is called to say what runs next.
///
/// See [`#[composite]`](macro@crate::composite).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Asked {
    /// The node is entered.
    #[default]
    Entry,
    /// A child of it has ended.
    Ended {
        /// The number of the child, from 0.
        child: usize,
        /// True if it succeeded.
        success: bool,
    },
    /// A child runs, and the node has its turn: only with `#[composite(running)]` and `#[decorator(running)]`.
    Running,
}

/// The result of the one child of a decorator; `None` on entry.
impl From<Option<bool>> for Asked {
    fn from(ended: Option<bool>) -> Asked {
        match ended {
            Some(success) => Asked::Ended { child: 0, success },
            None => Asked::Entry,
        }
    }
}

impl Asked {
    /// The result of the child that has ended.
    pub(crate) fn ended(self) -> Option<bool> {
        match self {
            Asked::Ended { success, .. } => Some(success),
            Asked::Entry | Asked::Running => None,
        }
    }
}

/// The reason for which a node exits.
///
/// ```
/// use bt_core::prelude::*;
///
/// #[derive(Agent, Default)]
/// struct Porter { carries: bool }
///
/// #[agent]
/// impl Porter {
///     #[action(exit = "put_down")]
///     fn carry(&mut self) -> Status {
///         self.carries = true;
///         Status::Running // called again in the next poll
///     }
///
///     /// Called once, however `carry` ends.
///     fn put_down(&mut self, _cx: &mut Context, exit: Exit) {
///         self.carries = false;
///         if exit == Exit::Aborted {
///             println!("something was more important");
///         }
///     }
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exit {
    /// It ended with success.
    Success,
    /// It ended with failure.
    Failure,
    /// It was aborted before it ended.
    Aborted,
}

/// The outcome of a call.
///
/// ```
/// use bt_core::builtin::ActionAgent;
/// use bt_core::{Outcome, Registry, Session};
/// use serde_json::json;
///
/// let registry = Registry::global()?;
/// let mut session = Session::new(7);
/// let cx = &mut session.context();
/// let agent = &mut ActionAgent;
/// let nop = registry.invoke(agent, &mut (), cx, "nop", &json!([]))?;
/// assert_eq!(nop, Outcome::Done(true));
/// let wait = registry.invoke(agent, &mut (), cx, "wait_for_seconds", &json!([2]))?;
/// assert_eq!(wait, Outcome::Pending);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Ended at once, with success or failure.
    Done(bool),
    /// Started; ends by a completion, a timer or an event that it asked the context for.
    Pending,
    /// Wants to be called again next poll.
    Running,
    /// A decorator's [`Next::Run`], or a composite's [`NextChild::Run`]: a child is to run. (Their other answers are an
    /// end.)
    Run,
}

/// An outcome, a failure with its reason, or an answer.
#[derive(Debug)]
pub enum Returned {
    /// Without a reason.
    As(Outcome),
    /// A failure whose reason is traced.
    Failed(String),
    /// The answer of a query, which is no bool.
    Answered(Value),
    /// The number of the child that a composite runs.
    Chosen(usize),
}

impl From<Outcome> for Returned {
    #[inline]
    fn from(outcome: Outcome) -> Returned {
        Returned::As(outcome)
    }
}

/// A type that an action can return.
#[diagnostic::on_unimplemented(
    message = "an action or a setter cannot return `{Self}`",
    label = "not something a tree understands",
    note = "return `bool` or `()` (done at once), `Option<bool>` (`None`: started, not finished), \
            `Status` (`Running`: call me again next poll), or `Result` of one of these"
)]
#[doc(hidden)]
pub trait ActionResult {
    /// The sort of the type.
    const KIND: ReturnKind;
    /// Returns whether it is a `Result`.
    const FALLIBLE: bool = false;
    /// The value's meaning.
    fn returned(self) -> Returned;
}

impl ActionResult for bool {
    const KIND: ReturnKind = ReturnKind::Bool;
    #[inline]
    fn returned(self) -> Returned {
        Outcome::Done(self).into()
    }
}

impl ActionResult for () {
    const KIND: ReturnKind = ReturnKind::Unit;
    #[inline]
    fn returned(self) -> Returned {
        Outcome::Done(true).into()
    }
}

impl ActionResult for Option<bool> {
    const KIND: ReturnKind = ReturnKind::Async;
    #[inline]
    fn returned(self) -> Returned {
        match self {
            Some(success) => Outcome::Done(success),
            None => Outcome::Pending,
        }
        .into()
    }
}

impl ActionResult for Status {
    const KIND: ReturnKind = ReturnKind::Status;
    #[inline]
    fn returned(self) -> Returned {
        match self {
            Status::Success => Outcome::Done(true),
            Status::Failure => Outcome::Done(false),
            Status::Running => Outcome::Running,
        }
        .into()
    }
}

impl<T: ActionResult, E: Display> ActionResult for Result<T, E> {
    const KIND: ReturnKind = T::KIND;
    const FALLIBLE: bool = true;
    #[inline]
    fn returned(self) -> Returned {
        match self {
            Ok(value) => value.returned(),
            Err(why) => Returned::Failed(why.to_string()),
        }
    }
}

/// A type that a condition can return: `bool`, or a `Result` of it, whose `Err` is a `false` with a
/// reason.
#[diagnostic::on_unimplemented(
    message = "a condition cannot return `{Self}`",
    label = "a condition is answered at once",
    note = "return `bool`, or `Result<bool, E>` for a `false` with a reason; what can stay running \
            is an `#[action]`"
)]
#[doc(hidden)]
pub trait ConditionResult: ActionResult {}

impl ConditionResult for bool {}

impl<E: Display> ConditionResult for Result<bool, E> {}

/// The type that a decorator returns: [`Next`].
#[diagnostic::on_unimplemented(
    message = "a decorator cannot return `{Self}`",
    label = "a decorator says what happens with its child",
    note = "return `Next`: `Next::Run`, `Next::Succeed` or `Next::Fail`"
)]
#[doc(hidden)]
pub trait DecoratorResult: ActionResult {}

impl DecoratorResult for Next {}

impl ActionResult for Next {
    const KIND: ReturnKind = ReturnKind::Next;
    #[inline]
    fn returned(self) -> Returned {
        match self {
            Next::Run => Outcome::Run,
            Next::Succeed => Outcome::Done(true),
            Next::Fail => Outcome::Done(false),
        }
        .into()
    }
}

/// The type that a composite returns: [`NextChild`].
#[diagnostic::on_unimplemented(
    message = "a composite cannot return `{Self}`",
    label = "a composite says which of its children runs",
    note = "return `NextChild`: `NextChild::Run(child)`, `NextChild::Succeed` or `NextChild::Fail`"
)]
#[doc(hidden)]
pub trait CompositeResult: ActionResult {}

impl CompositeResult for NextChild {}

impl ActionResult for NextChild {
    const KIND: ReturnKind = ReturnKind::NextChild;
    #[inline]
    fn returned(self) -> Returned {
        match self {
            NextChild::Run(child) => Returned::Chosen(child),
            NextChild::Succeed => Outcome::Done(true).into(),
            NextChild::Fail => Outcome::Done(false).into(),
        }
    }
}

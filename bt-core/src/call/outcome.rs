//! What a call answers, and which return types can say it.

use std::fmt::Display;

use crate::registry::catalogue::ReturnKind;

/// What a polled action answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// Done: it worked.
    Success,
    /// Done: it did not.
    Failure,
    /// Not done: call again next poll.
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

/// What a decorator answers: what happens with its child.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Next {
    /// Run the child (again).
    Run,
    /// Leave with success.
    Succeed,
    /// Leave with failure.
    Fail,
}

/// How a node was left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exit {
    /// It ended with success.
    Success,
    /// It ended with failure.
    Failure,
    /// Something else took over before it ended.
    Aborted,
}

/// What a call came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Ended at once, with success or failure.
    Done(bool),
    /// Started; ends by a completion, a timer or an event that it asked the context for.
    Pending,
    /// Wants to be called again next poll.
    Running,
    /// A decorator's [`Next::Run`]: its child is to run. (Its other answers are its end.)
    Run,
}

/// An outcome, or a failure with its reason.
#[derive(Debug)]
pub enum Returned {
    /// Without a reason.
    As(Outcome),
    /// A failure whose reason is traced.
    Failed(String),
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
pub trait ActionResult {
    /// What the type means.
    const KIND: ReturnKind;
    /// Whether it is a `Result`.
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
pub trait ConditionResult: ActionResult {}

impl ConditionResult for bool {}

impl<E: Display> ConditionResult for Result<bool, E> {}

/// The type that a decorator returns: [`Next`].
#[diagnostic::on_unimplemented(
    message = "a decorator cannot return `{Self}`",
    label = "a decorator says what happens with its child",
    note = "return `Next`: `Next::Run`, `Next::Succeed` or `Next::Fail`"
)]
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

//! The agent's own methods around a call: exit, resume, setters.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{ArgumentSource, Context, Exit, Returned};
use crate::Agent;
use crate::decode::nested;
use crate::decode::shown;
use crate::describe::shape::Owned;
use crate::error::CallError;

/// `#[action(exit = "…")]`: called exactly once for every call that began. `None`: still
/// cancelling.
pub type ExitHook<A> =
    for<'w, 's, 'c> fn(&mut A, &mut <A as Agent>::World<'w, 's>, &mut Context<'c>, Exit) -> Left;

/// An exit method that takes arguments of its action, by their names; none, and an error kept by the
/// blackboard, if they are not there.
pub type ExitWith<A> = for<'w, 's, 'c, 'g, 'a> fn(
    &mut A,
    &mut <A as Agent>::World<'w, 's>,
    &mut Context<'c>,
    Exit,
    &'g mut ArgumentSource<'a>,
) -> Option<Left>;

/// An exit method takes an argument as the type that its action takes.
#[diagnostic::on_unimplemented(
    message = "the action takes this argument as `{T}`, its exit method as `{Self}`",
    label = "expected `{T}`",
    note = "an exit method gets what the action was given"
)]
pub trait SameArgument<T> {}

impl<T> SameArgument<T> for T {}

/// Asks the compiler whether two parameters are of one type, by reference or not.
pub fn same_argument<X: Owned, Y: Owned>()
where
    X::Owned: SameArgument<Y::Owned>,
{
}

/// `#[action(resume = "…")]`: called instead of the action when an agent is restored.
pub type ResumeHook<A> = for<'w, 's, 'c> fn(
    &mut A,
    &mut <A as Agent>::World<'w, 's>,
    &mut Context<'c>,
    &Value,
) -> Result<Returned, CallError>;

/// The state of a node after an exit method: it is exited, or still cancelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// Now.
    Now,
    /// At its completion.
    Later,
}

/// A type that an exit method can return.
#[diagnostic::on_unimplemented(
    message = "an exit method cannot return `{Self}`",
    label = "not an answer to an exit",
    note = "return nothing, or `Option<bool>` where `None` means still cancelling"
)]
#[doc(hidden)]
pub trait ExitResult {
    /// Returns whether the node is exited.
    fn left(self) -> Left;
}

impl ExitResult for () {
    fn left(self) -> Left {
        Left::Now
    }
}

impl ExitResult for Option<bool> {
    fn left(self) -> Left {
        match self {
            Some(_) => Left::Now,
            None => Left::Later,
        }
    }
}

/// A type that a resume method can get.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be what an action kept",
    label = "not decodable from JSON",
    note = "a resume method gets what the action left with `cx.keep(value)`: \
            `#[derive(serde::Serialize, serde::Deserialize)]` on the type"
)]
pub trait Kept: DeserializeOwned {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned> Kept for T {}

/// The value for a resume method: the one that the action kept with [`Context::keep`].
///
/// # Errors
/// [`CallError::is_arguments`] if that is no `T`.
pub fn kept<T: Kept>(value: &Value) -> Result<T, CallError> {
    nested(value).map_err(|why| {
        CallError::arguments(format!(
            "what the action kept is {}, which does not decode: {why}",
            shown(value)
        ))
    })
}

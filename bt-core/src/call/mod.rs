//! A Rust call from JSON: decoding, binding, results, errors.

mod arg;
mod args;
mod argument;
#[doc(hidden)]
#[allow(missing_docs, reason = "named by nobody")]
pub mod common;
mod completion;
mod context;
mod decode;
mod error;
mod hook;
mod method;
mod outcome;
mod param;
mod resolve;

pub use arg::{Arg, Ended, Field, Lend, LendMut, Mut, Out, Shared, Val, ended};
pub use args::Args;
pub use argument::{Argument, Hides, Owns, owned};
pub use completion::{Completion, Pending};
pub use context::{Asked, Context, Control, Session};
pub use decode::{DecodeError, decode, to_json};
pub(crate) use decode::{NoJson, encode, shown};
pub use error::{ArgumentError, CallError};
pub use hook::{ExitHook, ExitResult, Left, ResumeHook, kept};
pub(crate) use method::gather_own;
pub use method::{
    ActionSet, ActionSink, AnyCall, BoundCall, Callable, Typed, action, condition, decorator,
};
pub use outcome::{
    ActionResult, ConditionResult, DecoratorResult, Exit, Next, Outcome, Returned, Status,
};
pub use param::Params;
pub use resolve::{Binder, BoardKey, Frame, Giver, Resolved, Source};

//! A Rust call from JSON: decoding, binding, results, errors.

mod action;
mod action_set;
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
mod fallback;
mod gather;
mod hook;
mod method;
mod names;
mod outcome;
mod param;
mod property;
mod reach;
mod resolve;
mod session;
mod state;
mod statics;

pub use action::Action;
pub use action_set::ActionSet;
pub use argument::Argument;
pub use completion::{Completion, Pending};
pub use context::{Asked, Context, Control};
pub use decode::{DecodeError, decode, to_json};
pub use error::{ArgumentError, CallError};
pub use hook::{ExitResult, Left};
pub use method::BoundCall;
pub use outcome::{ActionResult, ConditionResult, DecoratorResult, Exit, Next, Outcome, Status};
pub use property::{Change, Property, PropertySet, PropertyWatch, Snapshot};
pub use resolve::{Origin, Source};
pub use session::Session;

// What the macros' expansions, and the signatures of the above, are made of.
#[doc(hidden)]
pub use arg::{Arg, Ended, Field, Lend, LendMut, Mut, Out, Shared, Val, ended};
#[doc(hidden)]
pub use args::{Args, Feed};
#[doc(hidden)]
pub use argument::{Hides, Owns, owned};
#[doc(hidden)]
pub use gather::Members;
#[doc(hidden)]
pub use hook::{ExitHook, ExitWith, ResumeHook, kept, same_argument};
#[doc(hidden)]
pub use method::{AnyCall, Callable, Stepwise, Typed, action, condition, decorator};
#[doc(hidden)]
pub use outcome::Returned;
#[doc(hidden)]
pub use param::Params;
#[doc(hidden)]
pub use resolve::{Binder, BoardKey, Frame, Giver, Resolved};
#[doc(hidden)]
pub use statics::Static;

pub(crate) use args::backs;
pub(crate) use decode::{NoJson, encode, shown};
pub(crate) use error::Flaw;
pub(crate) use gather::gather_own;
pub(crate) use method::{resolve, run_resolved};
pub(crate) use names::Kind;
pub(crate) use param::{check, check_type, surplus};
pub(crate) use state::AskedMore;

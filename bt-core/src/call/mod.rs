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
pub use arg::{Arg, Ended, Field, Lend, LendMut, Mut, Out, Shared, Val, ended};
pub(crate) use args::backs;
pub use args::{Args, Feed};
pub use argument::{Argument, Hides, Owns, owned};
pub use completion::{Completion, Pending};
pub use context::{Asked, Context, Control};
pub use decode::{DecodeError, decode, to_json};
pub(crate) use decode::{NoJson, encode, shown};
pub(crate) use error::Flaw;
pub use error::{ArgumentError, CallError};
pub use gather::Members;
pub(crate) use gather::gather_own;
pub use hook::{ExitHook, ExitResult, ExitWith, Left, ResumeHook, kept, same_argument};
pub use method::{AnyCall, BoundCall, Callable, Stepwise, Typed, action, condition, decorator};
pub(crate) use method::{resolve, run_resolved};
pub(crate) use names::Kind;
pub use outcome::{
    ActionResult, ConditionResult, DecoratorResult, Exit, Next, Outcome, Returned, Status,
};
pub use param::Params;
pub(crate) use param::{check, check_type, surplus};
pub use property::{Change, Property, PropertySet, PropertyWatch, Snapshot};
pub use resolve::{Binder, BoardKey, Frame, Giver, Origin, Resolved, Source};
pub use session::Session;
pub(crate) use state::AskedMore;
pub use statics::Static;

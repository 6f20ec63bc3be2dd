//! A Rust call from JSON: decoding, binding, results, errors.

mod action;
mod action_set;
mod answer;
mod arg;
mod args;
mod argument;
mod binding;
#[doc(hidden)]
#[allow(missing_docs, reason = "named by nobody")]
pub mod common;
mod completion;
#[cfg(test)]
mod completion_tests;
mod context;
#[cfg(feature = "dynamic")]
pub(crate) mod described;
pub(crate) mod expression;
mod fallback;
mod gather;
mod hook;
pub(crate) mod link;
mod method;
mod names;
mod outcome;
mod param;
pub(crate) mod places;
mod property;
mod reach;
mod requested;
mod resolve;
mod session;
#[cfg(feature = "dynamic")]
pub(crate) mod stand_in;
mod state;
mod statics;
#[doc(hidden)]
pub mod table;
mod typed_field;
mod write;

pub use crate::decode::{DecodeError, decode};
pub use crate::error::{ArgumentError, CallError};
pub use crate::node::NodeRef;
pub use action::Action;
pub use action_set::ActionSet;
pub use argument::Argument;
pub(crate) use binding::Binding;
pub use completion::{Completion, Pending};
pub use context::Context;
pub use hook::{ExitResult, Left};
pub use method::BoundCall;
pub use outcome::{
    ActionResult, Asked, CompositeResult, ConditionResult, DecoratorResult, Exit, Next, NextChild,
    Outcome, Status,
};
pub use property::{Change, Property, PropertySet, PropertyWatch, Snapshot, to_json};
pub use requested::{CallRequests, Control};
pub use resolve::{Origin, Source};
pub use session::Session;

// What the macros' expansions, and the signatures of the above, are made of.
#[doc(hidden)]
pub use answer::{Answer, AnswerOf, AnswerType, Answered, Answering, Answers, Plain, answer_type};
#[doc(hidden)]
pub use arg::{Arg, AskedNow, Ended, Field, Lend, LendMut, Mut, Out, Shared, Val, asked, ended};
#[doc(hidden)]
pub use args::Args;
#[doc(hidden)]
pub use argument::{Hides, Owns, no_second_context, owned};
#[doc(hidden)]
pub use hook::{ExitHook, ExitWith, ResumeHook, kept, same_argument};
#[doc(hidden)]
pub use method::{AnyCall, Callable, Stepwise, Typed, action, composite, condition, decorator};
#[doc(hidden)]
pub use outcome::Returned;
#[doc(hidden)]
pub use param::Params;
#[doc(hidden)]
pub use resolve::{ArgumentSource, Binder, BoardKey, Frame, Resolved};
#[doc(hidden)]
pub use statics::Static;
#[doc(hidden)]
pub use typed_field::{AnyField, FieldReader, TypedField, Way, typed_field};

pub(crate) use gather::Members;
pub(crate) use method::{resolve, run_resolved};
pub(crate) use names::Kind;
pub(crate) use param::{check, check_limits, check_type, surplus};
pub(crate) use requested::MoreRequests;

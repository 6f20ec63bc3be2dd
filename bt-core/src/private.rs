//! What the macros' expansions name. No part of the public interface.

pub use ::core::any::{TypeId, type_name};
pub use ::core::option::Option::{None, Some};
pub use ::core::result::Result::{Err, Ok};
pub use ::core::{compile_error, module_path};

pub use inventory;
pub use serde_json::Value;

pub use crate::agent::{Agent, LendTo, Lent, NoBase, WithWorld, WithoutWorld, from_nothing};
pub use crate::builtin::ActionAgent;
pub use crate::call::{
    ActionResult, Arg, Args, CallError, Context, Ended, Exit, ExitResult, Field, Hides, Lend,
    LendMut, Mut, Next, Out, Owns, Returned, Shared, Static, Val, action, condition, decorator,
    ended, kept, owned, same_argument, to_json as shown,
};
pub use crate::event::{Carries, Event};
pub use crate::registry::catalogue::MethodKind;
pub use crate::registry::descriptor::{
    AgentDesc, Block, GenericDesc, Identity, Key, NoPart, Numbered, Part, PartOf, Registration,
    Site, Table, item, kin,
};
pub use crate::registry::members::{
    EventDesc, Fallback, event_param, method, property, setter, static_method, static_setter,
};
pub use crate::registry::shape::{Shown, bound, choices, default_value};
pub use crate::registry::value::{ValueKey, param, value};

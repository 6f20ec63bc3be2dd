//! The names in the macros' expansions. They are not part of the public interface.

pub use ::core::any::{TypeId, type_name};
pub use ::core::option::Option::{None, Some};
pub use ::core::result::Result::{Err, Ok};
pub use ::core::{compile_error, module_path};

pub use inventory;
pub use serde_json::Value;

pub use crate::agent::{
    Agent, LendTo, Lent, NoBase, WithWorld, WithoutWorld, from_nothing, lent_world,
};
pub use crate::builtin::ActionAgent;
pub use crate::call::table::carries::Carries;
pub use crate::call::table::descriptor::{
    AgentDesc, Block, GenericDesc, GiveEachBlockItsOwnAgentPart, Identity, NoPart, Part, PartOf,
    Registration, Site, Table, kin,
};
pub use crate::call::table::item::{Key, item};
pub use crate::call::table::members::{
    EventDesc, Fallback, event_param, method, property, setter, static_method, static_setter,
};
pub use crate::call::{
    ActionResult, AnswerOf, Answering, Answers, Arg, Args, AskedNow, CallError, Context, Ended,
    Exit, ExitResult, Field, Hides, Lend, LendMut, Mut, Next, Out, Owns, Plain, Returned, Shared,
    Static, Val, action, answer_type, asked, composite, condition, decorator, ended, kept,
    no_second_context, owned, same_argument, to_json as shown, typed_field,
};
pub use crate::describe::catalogue::MethodKind;
pub use crate::describe::shape::{Shown, bound, choices, default_value};
pub use crate::describe::value::{ValueKey, param, value};
pub use crate::event::Event;

//! Behaviour trees that call annotated Rust agents by name.

// The macros name this crate as its users do, here too.
extern crate self as bt_core;

pub mod agent;
pub mod blackboard;
pub mod builtin;
pub mod call;
pub mod compare;
mod contained;
mod event;
pub mod explain;
pub mod kinds;
mod random;
pub mod registry;
mod run;
pub mod snapshot;
mod text;
pub mod trace;
pub mod tree;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use agent::{Agent, NoBase};
pub use blackboard::{Blackboard, KeyError, KeyId, SharedBoard};
pub use bt_macros::{
    Agent, action, agent, condition, decorator, event, fallback, property, register_agent,
};
pub use call::{
    Action, ActionSet, ArgumentError, BoundCall, CallError, Change, Completion, Context,
    DecodeError, Exit, Left, Next, Outcome, Property, PropertySet, PropertyWatch, Session,
    Snapshot, Source, Status,
};
pub use event::Event;
pub use explain::Explanation;
pub use random::Random;
pub use registry::{Registry, RegistryError, export_if_asked};
pub use run::{
    ActiveLeaf, ActiveNode, Diagnostic, LeafId, LeafState, Mode, NodeRef, NodeStatus, Poll, Runner,
    TreeError,
};
pub use snapshot::{RestoreError, Saved};
pub use tree::asset::{AssetError, Problem, TreeAsset};
pub use tree::set::{TreeSet, Trees};

/// What an annotated file needs: `use bt_core::prelude::*;`
pub mod prelude {
    pub use crate::agent::Agent;
    pub use crate::{
        Blackboard, Completion, Context, Event, Exit, Next, Outcome, Random, Registry, Session,
        Status,
    };
    pub use bt_macros::{
        Agent, action, agent, condition, decorator, event, fallback, property, register_agent,
    };
}

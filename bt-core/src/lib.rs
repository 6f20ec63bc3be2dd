//! Behaviour trees that call annotated Rust agents by name.
//!
//! # Features
//!
//! Without its default features the crate registers agents, calls them by name and runs their trees.
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `builtin` | yes | the actions of `action_agent` beside `nop` and those that wait |
//! | `trace` | yes | [`trace`]: tracers, the records that they get, replaying these |
//! | `explain` | yes | [`explain`]: why an agent waits; it needs `trace` |
//! | `save` | yes | [`snapshot`]: a running agent saved, and restored elsewhere |
//! | `behaviac-log` | no | `trace::BehaviacLog`, the log of behaviac's designer |
//! | `mosaic-log` | no | `trace::DebugLog` and `DebugFeed`, for the original's debugger |

// What only a feature uses is unused without it. With all features the lint holds.
#![cfg_attr(
    not(all(feature = "builtin", feature = "explain", feature = "save")),
    allow(dead_code)
)]

// The macros name this crate as its users do, here too.
extern crate self as bt_core;

pub mod agent;
pub mod blackboard;
pub mod builtin;
pub mod call;
pub mod compare;
mod contained;
mod event;
#[cfg(feature = "explain")]
pub mod explain;
pub mod kinds;
mod random;
pub mod registry;
mod run;
#[cfg(feature = "save")]
pub mod snapshot;
#[doc(hidden)]
pub mod text;
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
#[cfg(feature = "explain")]
pub use explain::Explanation;
pub use random::Random;
pub use registry::{Registry, RegistryError, export_if_asked};
pub use run::{
    ActiveLeaf, ActiveNode, Diagnostic, LeafId, LeafState, Mode, NodeRef, NodeStatus, Poll, Runner,
    TreeError,
};
#[cfg(feature = "save")]
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

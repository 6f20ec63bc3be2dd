//! Running trees: one agent's state, and the one walker.
//!
//! # From a poll to the agent's method
//!
//! 1. [`Runner::poll`] looks at the clock. If nothing can be due, that is all; else it lends the agent
//!    to a [`Walk`](walk::Walk) (`poll`).
//! 2. `Walker::go` starts the tree if that is due, delivers what has arrived and what is due, one
//!    thing at a time, then takes the turn: what runs in every poll does (`delivery`, `turn`). Each of these
//!    says where a pass begins.
//! 3. [`Host::walk`](walk::Host::walk) knows the agent's type, and catches panics.
//!    [`Walk::run`](walk::Walk::run) continues from a place until everything waits: down to what is
//!    entered, up from what has ended (`walk`). A leaf calls the agent's method; any other node asks its
//!    kind (`crate::kinds`), which asks back (`context`).
//!
//! When a leaf waits, its method's part is over: what becomes of it is in `leaf`, what it waits for in
//! `waits`, and what ends it comes back as a delivery. The modules stand below in the order in which
//! they are best read.

// The host's calls: a poll, and everything else.
mod poll;
mod runner;

// In a poll: what is delivered, events, and who has a turn.
mod delivery;

mod turn;

mod event;
#[cfg(test)]
mod expressions;

mod numbers;
mod queue;
mod quick;

// The first poll of an agent that was restored.
#[cfg(feature = "save")]
mod resumed;
#[cfg(not(feature = "save"))]
#[path = "unsaved.rs"]
mod resumed;

// A pass: the walk through the tree, and the agent that it calls.
pub(crate) mod walk;

// What nodes may ask of the walk: what they do with it is in `crate::kinds`.
mod context;

mod attached;

mod leaf;

mod asked;

mod consult;

// Between two steps of a walk.
mod react;

mod observers;
mod pace;

mod abort;

// What an agent remembers.
pub(crate) mod core;

pub(crate) mod node_ref;

mod plain;

mod frames;

mod waits;

mod pending;

mod state;

// What others see of it.
mod active;

mod wake;

mod invoked;

mod diagnostic;

// What is traced, and why an agent waits.
#[cfg(feature = "trace")]
pub(crate) mod explain;

#[cfg(feature = "trace")]
mod trace;
#[cfg(not(feature = "trace"))]
#[path = "untraced.rs"]
mod trace;

// Stopping it in the middle of a poll.
#[cfg(feature = "debug")]
mod debug;
#[cfg(not(feature = "debug"))]
#[path = "undebugged.rs"]
mod debug;

// A running agent as data, and back.
#[cfg(feature = "save")]
mod save;

#[cfg(feature = "save")]
mod restore;

// An agent that moves to changed trees.
#[cfg(feature = "save")]
mod reload;

/// The runner's own words in a saved agent.
#[cfg(feature = "save")]
pub(crate) mod saved {
    pub(crate) use super::node_ref::{At, SavedFrame as Frame};
    pub(crate) use super::plain::{
        SavedDelivery as Delivery, SavedEvent as Event, SavedLevel as Level,
    };
    pub(crate) use super::save::settings::Settings;
    pub(crate) use super::state::continuations::Continuation;
    pub(crate) use super::state::memory::State;
    pub(crate) use super::state::numbers::KeptNumber;
    pub(crate) use super::state::requests::SavedRequests as Requests;
    pub(crate) use super::state::timers::Timer;
}

pub use active::{ActiveLeaf, ActiveNode, LeafState, NodeStatus};
pub use diagnostic::Diagnostic;
pub use plain::LeafId;
pub use poll::Poll;
pub use runner::{Mode, Runner, TreeError};

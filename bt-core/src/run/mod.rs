//! Running trees: one agent's state, and the one walker.

mod at;
mod attached;
mod core;
mod delivery;
mod diagnostic;
mod entries;
mod event;
pub(crate) mod explain;
pub(crate) mod host;
pub(crate) mod kinds;
mod leaf;
mod leave;
mod look;
mod pending;
mod queue;
mod react;
mod restore;
mod resumed;
mod runner;
mod save;
mod shown;
mod sink;
mod state;
mod trace;
mod walk;
mod watch;

/// What a saved agent says in the runner's own words.
pub(crate) mod saved {
    pub(crate) use super::core::Phase;
    pub(crate) use super::entries::Wait;
    pub(crate) use super::state::timers::Purpose;
    pub(crate) use super::walk::Act;
    pub(crate) use super::watch::Due;
}

pub(crate) use at::At;
pub(crate) use core::Core;
pub use diagnostic::Diagnostic;
pub use look::{ActiveLeaf, ActiveNode, LeafId, LeafState, NodeRef, NodeStatus};
pub use runner::{Mode, Poll, Runner, TreeError};

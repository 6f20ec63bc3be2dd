//! Running trees: one agent's state, and the one walker.

pub(crate) mod at;
mod attached;
pub(crate) mod core;
mod delivery;
mod diagnostic;
mod entries;
mod event;
#[cfg(feature = "explain")]
pub(crate) mod explain;
#[cfg(not(feature = "explain"))]
#[path = "unexplained.rs"]
mod explain;
pub(crate) mod host;
pub(crate) mod kinds;
mod leaf;
mod leave;
mod look;
mod pending;
mod queue;
mod react;
#[cfg(feature = "save")]
mod restore;
#[cfg(feature = "save")]
mod resumed;
#[cfg(not(feature = "save"))]
#[path = "unsaved.rs"]
mod resumed;
mod runner;
#[cfg(feature = "save")]
mod save;
mod shown;
#[cfg(feature = "trace")]
mod sink;
mod state;
mod timers;
#[cfg(feature = "trace")]
mod trace;
#[cfg(not(feature = "trace"))]
#[path = "untraced.rs"]
mod trace;
mod walk;
mod watch;
mod work;

pub use diagnostic::Diagnostic;
pub use look::{ActiveLeaf, ActiveNode, LeafId, LeafState, NodeRef, NodeStatus};
pub use runner::{Mode, Poll, Runner, TreeError};

//! Trees changed under running agents: a runner moves to a new set of trees in the middle of its own.
//!
//! [`Changes`] compares two sets once, for all agents. [`Runner::reload`](crate::Runner::reload) moves one of
//! them at its next poll, and a [`Reload`] says what became of what ran. The book's page “Reload” has the
//! rules.

mod changes;
mod map;
mod report;
pub(crate) mod same;

pub use changes::{Changes, Gone};
pub(crate) use map::Map;
pub use map::Renamed;
pub use report::{Moved, Node, Reload};

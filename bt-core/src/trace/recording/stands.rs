//! The state of a tree, where no other record says it.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::trace::place::Place;

/// The state of an agent's tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(expecting = "the state of a tree")]
#[serde(rename_all = "snake_case")]
pub enum TreeState {
    /// Nothing of it has run yet, and nothing will before it is [started](crate::Runner::start).
    NeverStarted,
    /// It begins in the next poll.
    Due,
    /// It runs.
    Running,
    /// It was stopped, and actions are still cancelling.
    Stopping,
    /// It was stopped.
    Stopped,
    /// It has ended with success or failure, and does not begin again.
    Ended(bool),
}

/// The state of the agent's tree, and of those that are suspended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "an object with the state of the tree")]
#[non_exhaustive]
#[doc(hidden)]
pub struct Stands<'a> {
    /// The name of the current tree.
    pub current: Cow<'a, str>,
    /// The state of the tree.
    pub state: TreeState,
    /// Since when it is paused, in nanoseconds of the host's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused: Option<u64>,
    /// The trees that events suspended, the last one last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suspended: Vec<Suspended>,
}

/// A tree that is suspended where it stands, until the tree that an event started in its place has
/// ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "an object of a suspended tree")]
#[non_exhaustive]
#[doc(hidden)]
pub struct Suspended {
    /// The name of the tree.
    pub current: String,
    /// The event; none of an agent that was saved without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// The node that took the event; as little known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Place<'static>>,
    /// Since when, in nanoseconds of the host's clock; as little known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<u64>,
    /// The numbers of the runs of its trees: its own, and those that it called.
    pub runs: Vec<u32>,
}

/// "`main.json` has ended with failure, and does not begin again".
impl fmt::Display for Stands<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = match self.state {
            TreeState::NeverStarted => "was never started",
            TreeState::Due => "begins in the next poll",
            TreeState::Running => "runs",
            TreeState::Stopping => "was stopped, and is still cancelling",
            TreeState::Stopped => "was stopped",
            TreeState::Ended(true) => "has ended with success, and does not begin again",
            TreeState::Ended(false) => "has ended with failure, and does not begin again",
        };
        write!(f, "`{}` {how}", self.current)?;
        if self.paused.is_some() {
            f.write_str("; it is paused")?;
        }
        for one in &self.suspended {
            write!(f, "; `{}` is suspended", one.current)?;
            if let Some(event) = &one.event {
                write!(f, " by event `{event}`")?;
            }
        }
        Ok(())
    }
}

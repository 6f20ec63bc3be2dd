//! An agent's turn in a round, and what becomes of the agent afterwards.

use super::AgentId;
use super::queue::Due;

/// Somebody's turn in a round.
#[derive(Debug)]
pub(super) struct Turn {
    pub(super) id: AgentId,
    /// True if it was despawned.
    pub(super) ends: bool,
    pub(super) after: After,
}

/// The state of an agent after its turn.
#[derive(Debug, Clone, Copy)]
pub(super) enum After {
    /// It had none: it is due in the next round, too.
    Skipped,
    Lives(Due),
    /// It was despawned, and its tree has stopped.
    Gone,
}

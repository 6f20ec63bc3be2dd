//! The state of an agent's tree: whether it runs, and whether a poll has anything to do.

use serde::{Deserialize, Serialize};

/// The phase of an agent's tree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Phase {
    /// It was never started, or it was stopped.
    #[default]
    Idle,
    /// Its root is to be entered in the next poll.
    Due,
    Active,
    /// It was stopped, and actions are still cancelling.
    Stopping,
    /// It ended with success, and does not begin again by itself.
    Succeeded,
    /// It ended with failure, and does not begin again by itself.
    Failed,
}

/// The quiet of a poll in which nothing is due: it has something to do, or nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quiet {
    /// It has: an event, a request, a turn.
    No,
    /// It moves the agent to changed trees, which is no reason for a poll: nothing that is active changed.
    Moves,
    /// It has a turn, whose time has not come.
    Paced,
    Yes,
}

/// The parts of a poll that are omitted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Omitted {
    /// The turn of nodes, and guards that are evaluated in each.
    pub(crate) turn: bool,
    /// Guards that look at the agent or its world.
    pub(crate) guards: bool,
}

impl Quiet {
    /// Of an agent that has something to do at once, or at its next turn, which is in every poll unless it is paced.
    pub(crate) fn of(at_once: bool, in_turn: bool, is_paced: bool) -> Quiet {
        match (at_once, in_turn, is_paced) {
            (true, _, _) | (false, true, false) => Quiet::No,
            (false, true, true) => Quiet::Paced,
            (false, false, _) => Quiet::Yes,
        }
    }
}

impl Phase {
    /// It ended, and does not begin again by itself.
    pub(crate) fn ended(success: bool) -> Phase {
        match success {
            true => Phase::Succeeded,
            false => Phase::Failed,
        }
    }

    /// The result, if the tree does not begin again by itself.
    pub(crate) fn result(self) -> Option<bool> {
        match self {
            Phase::Succeeded => Some(true),
            Phase::Failed => Some(false),
            Phase::Idle | Phase::Due | Phase::Active | Phase::Stopping => None,
        }
    }

    /// Returns true if nothing runs until the host says so.
    pub(crate) fn is_at_rest(self) -> bool {
        matches!(self, Phase::Idle | Phase::Succeeded | Phase::Failed)
    }
}

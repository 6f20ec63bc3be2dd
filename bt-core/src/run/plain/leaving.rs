//! A part of the tree that was aborted and is still cancelling, and what happens afterwards.

use crate::kinds::step::Act;
use crate::run::node_ref::At;

/// A part of the tree that was aborted, whose actions are still cancelling.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Leaving {
    pub(crate) top: At,
    /// True if `top` is exited, too.
    pub(crate) inclusive: bool,
    /// The node that aborted it; [`NOWHERE`](crate::run::node_ref::NOWHERE) for the host.
    pub(crate) by: At,
    pub(crate) then: Then,
    /// The number of the poll in which it was aborted.
    pub(crate) poll: u32,
}

/// The continuation after the last of it is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    /// The walk continues.
    Go(At, Act),
    /// A child is entered, and its parent learns when it waits.
    Enter(At),
    /// A tree starts in place of the one that was exited.
    Start(u32),
    /// A tree starts in place of all that there are, those that are suspended too.
    Load(u32),
    /// The tree of a `sub_tree` node starts in place of the one that was exited, with the values that
    /// the node handed over.
    Transfer {
        /// The node.
        from: u32,
        /// The number of the tree.
        tree: u32,
    },
    /// The current tree starts in the next poll.
    Restart {
        /// True if the blackboard is cleared.
        clear: bool,
    },
    Stop,
    /// Changed trees decide what becomes of the place: it waits to be entered.
    Hold(At),
    Nothing,
}

impl Then {
    /// The node that transfers to another tree.
    pub(crate) fn transfers_from(self) -> Option<u32> {
        if let Then::Transfer { from, .. } = self {
            return Some(from);
        }
        None
    }
}

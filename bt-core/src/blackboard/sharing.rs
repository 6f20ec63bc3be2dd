//! A blackboard's link to the board that agents share.

use std::cell::{Cell, RefCell};

use super::SharedBoard;
use super::shared::Following;

/// The board that agents share.
#[derive(Default)]
pub(super) struct Sharing {
    pub(super) board: RefCell<Option<SharedBoard>>,
    /// The number of its last change that is known here.
    pub(super) seen: Cell<u64>,
    /// The wakers for writes of others.
    pub(super) following: RefCell<Option<Following>>,
}

impl Sharing {
    /// The board, if there is one.
    pub(super) fn shared(&self) -> Option<SharedBoard> {
        self.board.borrow().clone()
    }

    /// Shares what another did, as far as that had seen.
    pub(super) fn continue_from(&self, other: &Sharing) {
        self.seen.set(other.seen.get());
        self.board.replace(other.shared());
    }
}

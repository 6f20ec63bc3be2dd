//! A node that waits.

pub(crate) use crate::kinds::step::{Order, Wait};
use crate::run::node_ref::At;
use crate::run::pending::More;

/// A node that waits.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) at: At,
    /// The place in the order of waiting, and its name.
    pub(crate) order: Order,
    /// The number of the poll of its last turn.
    pub(crate) stamp: u32,
    /// The number of the poll in which it ends; 0 for none.
    pub(crate) until: u32,
    pub(crate) wait: Wait,
    /// [`SUCCEEDS`] and [`TRACED`].
    marks: u8,
    /// Since when it waits, in nanoseconds.
    pub(crate) since: u64,
    pub(crate) more: Option<Box<More>>,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(
    size_of::<Entry>() <= 40,
    "there is one for each node that waits"
);

/// In [`Entry::marks`].
const SUCCEEDS: u8 = 1;
const TRACED: u8 = 1 << 1;

impl Entry {
    /// A node that begins to wait.
    pub(crate) fn new(at: At, order: Order, wait: Wait) -> Entry {
        Entry {
            at,
            order,
            stamp: 0,
            until: 0,
            wait,
            marks: 0,
            since: 0,
            more: None,
        }
    }

    /// The result that it has in the poll of the number `until`, or that it had.
    pub(crate) fn result(&self) -> bool {
        self.marks & SUCCEEDS != 0
    }

    pub(crate) fn set_result(&mut self, success: bool) {
        self.mark(SUCCEEDS, success);
    }

    /// Returns true if a tracer knows of it.
    pub(crate) fn is_traced(&self) -> bool {
        self.marks & TRACED != 0
    }

    pub(crate) fn set_traced(&mut self, traced: bool) {
        self.mark(TRACED, traced);
    }

    fn mark(&mut self, mark: u8, on: bool) {
        self.marks &= !mark;
        self.marks |= if on { mark } else { 0 };
    }

    /// Returns true if it has a turn every poll.
    pub(crate) fn has_turn(&self) -> bool {
        self.until != 0
            || matches!(
                self.wait,
                Wait::Polled | Wait::Turn | Wait::Again | Wait::Rerun
            )
    }

    /// Returns true if its node was entered and is to be exited by whoever takes it away.
    pub(crate) fn is_leaf(&self) -> bool {
        matches!(
            self.wait,
            Wait::Pending | Wait::Polled | Wait::Event | Wait::Timer | Wait::Cancelling
        )
    }
}

/// An action that waits, by a name that no other ever has: see [`Runner::finish`](crate::Runner::finish).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LeafId(pub(crate) Order);

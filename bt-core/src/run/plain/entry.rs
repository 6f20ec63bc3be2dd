//! A node that waits.

use serde::{Deserialize, Serialize};
use thin_vec::ThinVec;

use super::renumber::Renumber;
use crate::decode::is_default;
pub(crate) use crate::kinds::step::{Order, Wait};
use crate::run::node_ref::At;
use crate::run::pending::{More, SavedMore};

/// A node that waits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    bound(serialize = "O: Serialize, U: Serialize + Default + PartialEq, M: Serialize")
)]
pub(crate) struct Entry<O = Order, U = u32, M = Option<Box<More>>> {
    pub(crate) at: At,
    /// The place in the order of waiting, and its name.
    pub(crate) order: O,
    /// The number of the poll of its last turn.
    #[serde(skip)]
    pub(crate) stamp: u32,
    /// The number of the poll in which it ends; 0 for none. A saved one has its result beside it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) until: U,
    pub(crate) wait: Wait,
    /// [`SUCCEEDS`] and [`TRACED`].
    #[serde(skip)]
    marks: u8,
    /// Since when it waits, in nanoseconds; how long it has waited, until a restored agent knows the clock.
    #[serde(rename = "ago", default, skip_serializing_if = "is_default")]
    pub(crate) since: u64,
    /// The time at which its method was called last, in nanoseconds without pauses. A saved one has how long
    /// after it had begun to wait.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) ran: u64,
    #[serde(flatten)]
    pub(crate) more: M,
}

/// One of a saved agent: as many have been counted as have been saved, which may be more than a runner counts.
pub(crate) type SavedEntry = Entry<u64, Option<(u32, bool)>, SavedMore>;

#[cfg(target_pointer_width = "64")]
const _: () = assert!(
    size_of::<Entry>() <= 48,
    "there is one for each node that waits"
);

/// In [`Entry::marks`].
const SUCCEEDS: u8 = 1;
const TRACED: u8 = 1 << 1;

impl<O, U, M> Entry<O, U, M> {
    /// The same, elsewhere.
    pub(crate) fn map<X: Renumber, P, V, N>(
        &self,
        to: &X,
        order: P,
        until: V,
        more: N,
    ) -> Result<Entry<P, V, N>, X::Error> {
        Ok(Entry {
            at: to.place(self.at)?,
            order,
            stamp: to.poll(self.stamp),
            until,
            wait: self.wait,
            marks: self.marks,
            since: to.since(self.since),
            ran: to.ran(self.ran),
            more,
        })
    }
}

impl SavedEntry {
    /// The runner's.
    pub(crate) fn restored<X: Renumber>(&self, from: &X, order: Order) -> Result<Entry, X::Error> {
        let (until, result) = self.until.unwrap_or_default();
        let more = self.more.with((), ());
        let more = (!is_default(&more)).then(|| Box::new(more.with(None, ThinVec::new())));
        let mut entry = self.map(from, order, until, more)?;
        entry.set_result(result);
        entry.ran = from.ran(self.since.wrapping_sub(self.ran));
        Ok(entry)
    }
}

impl Entry {
    /// A saved agent's; it had a completion, and guards, or not.
    pub(crate) fn saved<X: Renumber>(
        &self,
        to: &X,
        (completion, guards): (bool, bool),
    ) -> Result<SavedEntry, X::Error> {
        let until = (self.until != 0).then_some((self.until, self.result()));
        let more = self.more.as_deref();
        let more = more.map(|more| more.with(completion, guards));
        let more = more.unwrap_or(SavedMore {
            completion,
            guards,
            ..SavedMore::default()
        });
        let mut saved = self.map(to, self.order.number(), until, more)?;
        saved.marks = 0;
        saved.ran = saved.since.wrapping_sub(saved.ran);
        Ok(saved)
    }

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
            ran: 0,
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

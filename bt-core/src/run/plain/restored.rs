//! The work of the first poll of a restored agent.

use super::entry::Order;
use crate::trace::Resumption;

/// The work of the first poll of a restored agent.
#[derive(Debug, Default)]
pub(crate) struct Restored {
    /// Entries that cannot continue by themselves, in the order in which nodes run.
    pub(crate) todo: Vec<Todo>,
    /// The host's clock is known.
    pub(crate) landed: bool,
    /// It was paused when it was saved, or resumed and not polled since.
    pub(crate) pauses: bool,
    /// The time between the start of the pause and the save, in nanoseconds.
    pub(crate) paused_ago: u64,
    /// It had nothing to do but to look at the clock, or to wait for its turn.
    pub(crate) quiet: bool,
    /// It has something to do in its turn.
    pub(crate) in_turn: bool,
}

/// An action that cannot continue by itself.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Todo {
    /// Of its entry.
    pub(crate) order: Order,
    /// True for a completion, and for guards, that it had.
    pub(crate) had: (bool, bool),
    pub(crate) how: How,
}

/// The way in which an action continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    /// By its resume method, the one of that name.
    Resume(&'static str),
    /// By another call.
    Anew,
    /// Not at all: it was cancelling, and what it waited for was the old process's.
    End,
}

impl From<How> for Resumption<'static> {
    fn from(how: How) -> Resumption<'static> {
        match how {
            How::Resume(method) => Resumption::Resume(method.into()),
            How::Anew => Resumption::Anew,
            How::End => Resumption::Cancelled,
        }
    }
}

impl Restored {
    /// Returns whether an entry had a completion, and guards.
    pub(crate) fn had(&self, order: Order) -> Option<(bool, bool)> {
        let todo = self.todo.iter().find(|todo| todo.order == order);
        todo.map(|todo| todo.had)
    }
}

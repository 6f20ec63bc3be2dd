//! A node's next step, and its reason to wait.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A node of a tree that runs. The same tree may run more than once at a time, so a node's number
/// alone does not say which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct At {
    /// The frame: which run of a tree.
    pub(crate) frame: u32,
    pub(crate) node: u32,
}

/// The next step after a node has run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// A node, below the one that says so, is entered.
    Enter(u32),
    /// The node has ended.
    Done(bool),
    /// The node, or all that was entered below it, waits.
    Blocked,
    /// The walk continues elsewhere.
    Jump(At, Act),
}

/// The way in which a walk continues at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Act {
    Enter,
    /// The same, with its guards evaluated already.
    EnterChecked,
    /// The same, with its guards evaluated some time ago: it takes over from a sibling.
    TakeOver,
    /// Its guards hold, and so many of its effects and services were called.
    Begin(u8),
    Done(bool),
    /// It has ended, and was exited: its parent is to learn of it.
    Left(bool),
}

/// The reason for which a node waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Wait {
    /// An action, for what it asked for.
    Pending,
    /// An action, to be called again next poll.
    Polled,
    /// An event.
    Event,
    /// Its time, or nothing at all.
    Timer,
    /// Nothing: it watches over its child, and has a turn every poll.
    Turn,
    /// To go on with its next iteration, in the next poll.
    Again,
    /// To be entered anew in its turn: a child that has ended of a parallel that runs all every poll.
    Rerun,
    /// It was not entered yet: the budget of the poll was spent, or its parent was closed.
    Due,
    /// An action that was aborted, for its clean-up to end.
    Cancelling,
    /// For guards to react to what was written: then the walk continues here.
    Parked(Act),
}

impl Wait {
    /// The step that a walk continues with where it was parked.
    pub(crate) fn parked(self) -> Option<Act> {
        if let Wait::Parked(act) = self {
            return Some(act);
        }
        None
    }

    /// Returns true if a node that waits so was entered, and has not ended.
    pub(crate) fn is_entered(self) -> bool {
        match self {
            Wait::Rerun | Wait::Due => false,
            Wait::Parked(act) => matches!(act, Act::Begin(_) | Act::Done(_)),
            Wait::Pending
            | Wait::Polled
            | Wait::Event
            | Wait::Timer
            | Wait::Turn
            | Wait::Again
            | Wait::Cancelling => true,
        }
    }
}

/// The number of an entry: it grows from one to the next, and no two ever have the same.
///
/// An entry has room for 40 bits: at 600 entries a second they last for 58 years.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "u64", into = "u64")]
pub(crate) struct Order([u8; 5]);

impl From<u64> for Order {
    /// The last one, of a number that no entry has.
    fn from(number: u64) -> Order {
        Order::of(number.min((1 << 40) - 1))
    }
}

impl From<Order> for u64 {
    fn from(order: Order) -> u64 {
        order.number()
    }
}

impl Order {
    /// The number of the entry, of which the counter has `rounds` of 2^32 behind it.
    pub(crate) fn new(rounds: u8, order: u32) -> Order {
        let [a, b, c, d] = order.to_be_bytes();
        Order([rounds, a, b, c, d])
    }

    /// The number that was saved, without the bits that no number has.
    pub(crate) fn of(number: u64) -> Order {
        Order::new((number >> 32) as u8, number as u32)
    }

    pub(crate) fn number(self) -> u64 {
        let [rounds, a, b, c, d] = self.0;
        u64::from(rounds) << 32 | u64::from(u32::from_be_bytes([a, b, c, d]))
    }
}

impl fmt::Debug for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

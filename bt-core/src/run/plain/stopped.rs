//! A walk that is stopped in the middle of a poll.

use super::entry::Order;
use super::next::Next;
use crate::debug::Stop;
use crate::kinds::timeout::Since;
use crate::run::node_ref::At;

/// An agent that is stopped.
#[derive(Debug)]
pub(crate) struct Stopped {
    pub(crate) stop: Stop,
    /// The place of the stop.
    pub(crate) at: At,
    pub(crate) next: Next,
    pub(crate) left: Left,
    /// True if the host paused it.
    pub(crate) paused: bool,
    /// True if keys had changed that guards follow.
    pub(crate) stirred: bool,
    // What the loops of the poll know, as it was.
    pub(crate) spent: bool,
    pub(crate) turned: bool,
    pub(crate) cursor: u32,
}

/// The work that remains for the functions above the walk, innermost first.
#[derive(Debug, Default)]
pub(crate) struct Left {
    /// The timeout whose polled children are called, and since when it waits.
    pub(crate) deadline: Option<(At, Option<Since>)>,
    /// True if closed places, or those without budget, are to be entered.
    pub(crate) due: bool,
    /// These waited for the event in hand.
    pub(crate) waiters: Vec<(Order, bool)>,
    /// The tree is started.
    pub(crate) start: bool,
    /// The number of trees that were suspended before the delivery, or the turn, in hand.
    pub(crate) level: Option<u32>,
}

impl Left {
    /// The rest of another one comes after it.
    pub(crate) fn then(&mut self, other: Left) {
        self.deadline = self.deadline.take().or(other.deadline);
        self.due |= other.due;
        if self.waiters.is_empty() {
            self.waiters = other.waiters;
        }
        self.start |= other.start;
        self.level = self.level.or(other.level);
    }
}

impl Stopped {
    /// Returns true if the poll was over.
    pub(crate) fn is_over(&self) -> bool {
        self.next == Next::Over
    }

    /// Something waits for the end of the poll. Of loads and resets the later counts.
    pub(crate) fn wait_for_end(&mut self, what: &str) {
        let waiting = &mut self.stop.waiting;
        waiting.retain(|other| other != what && (other == "reload" || what == "reload"));
        waiting.push(what.to_owned());
    }
}

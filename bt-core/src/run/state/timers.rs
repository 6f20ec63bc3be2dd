//! Timers of nodes.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::decode::is_default;
use crate::run::node_ref::At;

/// The purpose of a timer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Purpose {
    /// Ends an action that waits, so.
    End(bool),
    /// Wakes a node.
    Node,
    /// Calls a service, the one of that number.
    Service(u32),
}

/// Something that is due at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Timer {
    /// In nanoseconds; in a saved agent what is left of it.
    #[serde(rename = "left", default, skip_serializing_if = "is_default")]
    time: u64,
    at: At,
    #[serde(rename = "for")]
    purpose: Purpose,
}

impl Timer {
    /// `time` is in nanoseconds.
    pub(crate) fn new(time: u64, at: At, purpose: Purpose) -> Timer {
        Timer { time, at, purpose }
    }

    /// In nanoseconds.
    pub(crate) fn time(&self) -> u64 {
        self.time
    }

    pub(crate) fn at(&self) -> At {
        self.at
    }

    pub(crate) fn purpose(&self) -> Purpose {
        self.purpose
    }

    /// Returns true if it ends the action of a node.
    pub(crate) fn ends(&self, at: At) -> bool {
        self.at == at && matches!(self.purpose, Purpose::End(_))
    }
}

/// The timers of an agent.
#[derive(Debug, Default)]
pub(crate) struct Timers {
    /// The next first.
    all: SmallVec<[Timer; 1]>,
}

impl Timers {
    /// Sets a timer; one that is due at the same time as another comes after it.
    pub(crate) fn set(&mut self, timer: Timer) {
        let position = self.all.partition_point(|other| other.time <= timer.time);
        self.all.insert(position, timer);
    }

    /// Clears those of a node.
    pub(crate) fn clear(&mut self, at: At) {
        if !self.all.is_empty() {
            self.all.retain(|timer| timer.at != at);
        }
    }

    /// Clears those that end the action of a node.
    pub(crate) fn clear_end(&mut self, at: At) {
        self.all.retain(|timer| !timer.ends(at));
    }

    /// Clears all but those that pass the test.
    pub(crate) fn keep(&mut self, mut test: impl FnMut(&Timer) -> bool) {
        self.all.retain(|timer| test(timer));
    }

    /// The time of the next one; `u64::MAX` if there is none.
    #[inline]
    pub(crate) fn next_time(&self) -> u64 {
        self.all.first().map_or(u64::MAX, |timer| timer.time)
    }

    /// The time of the timer of the node itself.
    pub(crate) fn own_time(&self, at: At) -> Option<u64> {
        let is_own = |timer: &&Timer| timer.at == at && timer.purpose == Purpose::Node;
        self.all.iter().find(is_own).map(|timer| timer.time)
    }

    /// Returns true if one is due.
    pub(crate) fn has_due(&self, now: u64) -> bool {
        self.all.first().is_some_and(|timer| timer.time <= now)
    }

    /// Takes one that is due.
    pub(crate) fn take_due(&mut self, now: u64) -> Option<Timer> {
        // Not `next_time`: at the clock's end, what there is not would be due as well.
        let is_due = self.all.first()?.time <= now;
        is_due.then(|| self.all.remove(0))
    }

    /// Lets all be due so much later.
    pub(crate) fn delay(&mut self, by: u64) {
        for timer in &mut self.all {
            timer.time = timer.time.saturating_add(by);
        }
    }

    /// Lets that of a node be due so much later; until [`Timers::order`] it is where it was.
    #[cfg(feature = "save")]
    pub(crate) fn delay_of(&mut self, at: At, purpose: Purpose, by: u64) {
        let is_it = |timer: &&mut Timer| timer.at == at && timer.purpose == purpose;
        if let Some(timer) = self.all.iter_mut().find(is_it) {
            timer.time = timer.time.saturating_add(by);
        }
    }

    /// Orders them by their times: of those that are due at the same time the `first` ones come first, in that order,
    /// then all others as they were set.
    #[cfg(feature = "save")]
    pub(crate) fn order(&mut self, first: &[(At, Purpose)]) {
        self.all.sort_by_key(|timer| {
            let mut first = first.iter();
            let rank = first.position(|known| *known == (timer.at, timer.purpose));
            (timer.time, rank.unwrap_or(usize::MAX))
        });
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Timer> {
        self.all.iter()
    }
}

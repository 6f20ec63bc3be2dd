//! What is due at a time.

use serde::{Deserialize, Serialize};

use super::at::At;
use super::core::Core;
use super::delivery::Delivery;

/// What a timer is for.
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
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timer {
    /// In nanoseconds.
    pub(crate) time: u64,
    pub(crate) at: At,
    pub(crate) purpose: Purpose,
}

impl Core {
    /// Sets a timer; one that is due at the same time as another comes after it.
    pub(crate) fn set_timer(&mut self, time: u64, at: At, purpose: Purpose) {
        let position = self.timers.partition_point(|timer| timer.time <= time);
        self.timers.insert(position, Timer { time, at, purpose });
    }

    pub(crate) fn clear_timers(&mut self, at: At) {
        if !self.timers.is_empty() {
            self.timers.retain(|timer| timer.at != at);
        }
        // One may have come while its tree was suspended, and wait for the next poll.
        if let Some(cold) = &mut self.cold
            && !(cold.queue.is_empty() && cold.held.is_empty())
        {
            let is_of_node =
                |delivery: &Delivery| matches!(delivery, Delivery::Timer(timer) if timer.at == at);
            cold.queue.retain(|delivery| !is_of_node(delivery));
            cold.held.retain(|delivery| !is_of_node(delivery));
        }
    }

    /// The time of the next timer; `u64::MAX` if there is none.
    #[inline]
    pub(crate) fn next_time(&self) -> u64 {
        self.timers.first().map_or(u64::MAX, |timer| timer.time)
    }

    /// When the timer of a node itself is due.
    pub(crate) fn own_time(&self, at: At) -> Option<u64> {
        let is_own = |timer: &&Timer| timer.at == at && timer.purpose == Purpose::Node;
        self.timers.iter().find(is_own).map(|timer| timer.time)
    }

    /// Takes a timer that is due.
    pub(crate) fn take_due(&mut self) -> Option<Timer> {
        // Not `next_time`: at the clock's end, what there is not would be due as well.
        let is_due = self.timers.first()?.time <= self.now();
        is_due.then(|| self.timers.remove(0))
    }
}

//! The pace of an agent: the period of its turns, and guards that the host wakes.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::clock::nanos;
use crate::decode::is_default;
use crate::random::spread;
use crate::run::plain::Omitted;

/// The pace of an agent that does not look at everything in every poll.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pace {
    /// The host's period, in nanoseconds, 0 for a turn in every poll; none for that of the tree's file.
    #[serde(default, skip_serializing_if = "is_default")]
    host: Option<u64>,
    /// The period by which the next turn was set; 0 if none was.
    #[serde(default, skip_serializing_if = "is_default")]
    period: u64,
    /// The time of the next turn, in nanoseconds; in a saved agent what is left of it.
    #[serde(rename = "left", default, skip_serializing_if = "is_default")]
    next: u64,
    /// The tree ended in the poll in which it began, and begins again in the next turn.
    #[serde(default, skip_serializing_if = "is_default")]
    begins_again: bool,
    /// Guards that look at the agent or its world are evaluated after [`Pace::changed`] only.
    #[serde(default, skip_serializing_if = "is_default")]
    on_wake: bool,
    /// The host has changed what guards look at, and there was no poll since.
    #[serde(default, skip_serializing_if = "is_default")]
    changed: bool,
    #[serde(skip)]
    omitted: Omitted,
}

impl Pace {
    /// Sets the host's period; none for that of the tree's file.
    pub(crate) fn set_host(&mut self, period: Option<Duration>) {
        self.host = period.map(nanos);
    }

    /// The period of a tree whose file says that one; 0 for a turn in every poll.
    pub(crate) fn of(&self, file: u64) -> u64 {
        self.host.unwrap_or(file)
    }

    pub(crate) fn set_on_wake(&mut self, on_wake: bool) {
        self.on_wake = on_wake;
    }

    /// Returns true if guards that look at the agent or its world keep nobody due.
    pub(crate) fn guards_on_wake(&self) -> bool {
        self.on_wake
    }

    /// Lets guards that look at the agent or its world be evaluated in the next poll.
    pub(crate) fn change(&mut self) {
        self.changed = true;
    }

    /// A poll begins at a time, and has its turn whatever the time if that `is_due`.
    pub(crate) fn begin(&mut self, file: u64, now: u64, is_due: bool) {
        let period = self.of(file);
        let turn = !is_due && period != 0 && period == self.period && now < self.next;
        let changed = std::mem::take(&mut self.changed);
        let guards = match self.on_wake {
            true => !changed,
            false => turn,
        };
        self.omitted = Omitted { turn, guards };
    }

    /// The parts of this poll that are omitted.
    pub(crate) fn omitted(&self) -> Omitted {
        self.omitted
    }

    /// The turn of this poll is over: sets the next, in the rhythm of the turns before. The first is spread by a
    /// number.
    pub(crate) fn end(&mut self, file: u64, now: u64, random: u64) {
        let period = self.of(file);
        if period != self.period {
            self.period = period;
            self.next = now
                .saturating_add(spread(random, period))
                .max(now.saturating_add(1));
        } else if period != 0 && self.next <= now {
            let missed = (now - self.next) / period;
            self.next = self
                .next
                .saturating_add(period.saturating_mul(missed.saturating_add(1)));
        }
    }

    /// The tree is to begin again in the next turn, or at once.
    pub(crate) fn set_begins_again(&mut self, later: bool) {
        self.begins_again = later && self.period != 0;
    }

    /// Returns true if the tree begins again in the next turn.
    pub(crate) fn begins_later(&self) -> bool {
        self.begins_again
    }

    /// Returns true if the tree, which is to begin again, does not in this poll.
    pub(crate) fn holds_root(&self) -> bool {
        self.begins_again && self.omitted.turn
    }

    /// The time of the next turn, if there is not one in every poll.
    pub(crate) fn next(&self) -> Option<u64> {
        (self.period != 0).then_some(self.next)
    }

    /// Lets the next turn be so much later.
    pub(crate) fn delay(&mut self, by: u64) {
        self.next = self.next.saturating_add(by);
    }

    /// The same, as of a time, with what is left of the time of the next turn.
    #[cfg(feature = "save")]
    pub(crate) fn left(&self, now: u64) -> Pace {
        let next = self.next.saturating_sub(now);
        Pace {
            next,
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn omits(pace: &mut Pace, file: u64, now: u64) -> bool {
        pace.begin(file, now, false);
        pace.end(file, now, 3);
        pace.omitted().turn
    }

    #[test]
    fn turns_keep_their_rhythm_and_those_that_were_missed_are_not_made_up_for() {
        let mut pace = Pace::default();
        assert!(!omits(&mut pace, 100, 1_000), "the first poll has a turn");
        let first = pace.next().unwrap();
        assert!((1_001..=1_100).contains(&first), "{first}");
        assert!(omits(&mut pace, 100, first - 1));
        assert!(!omits(&mut pace, 100, first + 30));
        assert_eq!(pace.next(), Some(first + 100));
        assert!(!omits(&mut pace, 100, first + 350));
        assert_eq!(pace.next(), Some(first + 400));
    }

    #[test]
    fn hosts_period_counts_and_none_of_it_is_that_of_the_file() {
        let mut pace = Pace::default();
        pace.set_host(Some(Duration::ZERO));
        assert!(!omits(&mut pace, 100, 0) && !omits(&mut pace, 100, 1));
        assert_eq!(pace.next(), None);
        pace.set_host(None);
        assert!(!omits(&mut pace, 100, 2) && omits(&mut pace, 100, 2));
    }

    #[test]
    fn last_time_of_a_clock_has_a_turn_and_sets_none_before_it() {
        let mut pace = Pace::default();
        assert!(!omits(&mut pace, 100, u64::MAX));
        assert_eq!(pace.next(), Some(u64::MAX));
    }

    #[test]
    fn guards_that_wait_for_the_host_are_asked_once_when_something_changed() {
        let mut pace = Pace::default();
        pace.set_on_wake(true);
        pace.change();
        for is_omitted in [false, true] {
            pace.begin(0, 0, false);
            assert_eq!(pace.omitted().guards, is_omitted);
        }
    }
}

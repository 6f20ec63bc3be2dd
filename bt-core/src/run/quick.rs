//! The short way through a poll in which nothing has happened: most polls that have anything to do are such.

use super::core::{Cold, Core};
use super::plain::{Entry, Phase, Wait};
use super::walk::{Step, Walker};

impl Core {
    /// Returns true if nothing has happened since the last poll: this one enters a root that is due, and
    /// gives turns.
    #[inline]
    pub(super) fn is_undisturbed(&self) -> bool {
        !self.is_traced
            && !self.interrupted.any()
            && self.timers.next_time() > self.now()
            && !self.session.has_arrived()
            && self.session.board().is_undisturbed()
            && self.cold.as_deref().is_none_or(Cold::is_undisturbed)
    }

    /// Returns true if all that has a turn is actions that are called again.
    #[inline]
    pub(super) fn only_polls(&self) -> bool {
        let is_simple = |entry: &Entry| match entry.wait {
            Wait::Polled | Wait::Pending | Wait::Event | Wait::Timer => entry.until == 0,
            Wait::Turn
            | Wait::Again
            | Wait::Rerun
            | Wait::Due
            | Wait::Cancelling
            | Wait::Parked(_) => false,
        };
        self.phase == Phase::Active && self.entries.iter().all(is_simple)
    }
}

impl Cold {
    /// Returns true if nothing of what it has is to be done, or to be asked, in the next poll.
    fn is_undisturbed(&self) -> bool {
        #[cfg(feature = "save")]
        if self.restored.is_some() {
            return false;
        }
        !self.inbox.has_queued()
            && self.continuations.is_empty()
            && self.observers.all().is_empty()
            && self.leaving.is_empty()
            && self.rechecks.is_empty()
            && self.suspended.levels().is_empty()
            && self.requests.pending().is_none()
            && self.pauses.since().is_none()
            && self.pace.is_none()
    }
}

impl Walker<'_> {
    /// Gives the actions that are called again their turns; the rest of the poll follows from the first that does
    /// anything but continue.
    pub(super) fn call_polled(&mut self) {
        self.core.cursor = 0;
        self.restart_turn();
        while let Some(entry) = self.core.entries.get(self.core.cursor as usize) {
            let is_polled = entry.wait == Wait::Polled;
            let position = self.core.cursor as usize;
            self.core.cursor += 1;
            if is_polled {
                let step = self.poll_action(position);
                if step != Step::Blocked || self.continues() {
                    self.walk_on(step);
                    return self.go_after_turn(0);
                }
            }
        }
        self.end_turns();
        self.finish_poll();
    }
}

//! A member's lease: it polls only while its last answered renewal is young enough.

use std::time::Duration;

use super::backoff::Backoff;
use crate::store::StoreError;

/// The renewals of one member.
#[derive(Debug, Default)]
pub(super) struct Lease {
    /// The time at which the last renewal that was answered was sent.
    renewed: Option<Duration>,
    /// The time at which the renewal was sent that is under way.
    sent: Option<Duration>,
    /// The number of this member's key, as it knows it.
    pub(super) revision: u64,
    /// The number of its first message that this process wrote; 0 before.
    pub(super) first: u64,
    /// The time of the last renewal that came back.
    heard: Option<Duration>,
    retry: Backoff,
    /// Somebody else has taken the name.
    pub(super) superseded: bool,
}

impl Lease {
    /// Returns true while others may not take this member's shards.
    pub(super) fn holds(&self, now: Duration, lease: Duration) -> bool {
        let young = |renewed| now.saturating_sub(renewed) < lease;
        !self.superseded && self.renewed.is_some_and(young)
    }

    /// Returns true if a renewal is to be sent, because it is time or something is to be said, and notes that it is.
    pub(super) fn renew(&mut self, now: Duration, lease: Duration, says: bool) -> bool {
        let is_due = says || self.next(lease).is_none_or(|next| next <= now);
        if self.superseded || self.sent.is_some() || !is_due || !self.retry.is_over(now) {
            return false;
        }
        self.sent = Some(now);
        true
    }

    /// The time of the next renewal, if there was one.
    pub(super) fn next(&self, lease: Duration) -> Option<Duration> {
        self.renewed.map(|renewed| renewed + lease / 4)
    }

    /// Learns the answer of a renewal. One that was not answered may be stored: the member's key comes back then.
    pub(super) fn answered(&mut self, now: Duration, answer: Result<u64, StoreError>) {
        let sent = self.sent.take();
        match answer {
            Ok(revision) => {
                self.revision = self.revision.max(revision);
                if self.first == 0 {
                    self.first = revision;
                }
                self.renewed = sent;
                self.retry.reset();
            }
            Err(_) => self.retry.fail(now),
        }
    }

    /// This member's own renewal came back; the time since the one before, which is no longer than a lease's half.
    pub(super) fn hear(&mut self, now: Duration, lease: Duration) -> Duration {
        let before = self.heard.replace(now).unwrap_or(now);
        now.saturating_sub(before).min(lease / 2)
    }
}

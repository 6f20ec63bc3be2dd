//! The time between one attempt and the next.

use std::time::Duration;

const FIRST: Duration = Duration::from_millis(50);
const MOST: Duration = Duration::from_secs(2);

/// Attempts that fail: each waits twice as long as the one before, from 50 ms to 2 s.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Backoff {
    fails: u32,
    until: Duration,
}

impl Backoff {
    pub(crate) fn fail(&mut self, now: Duration) {
        let wait = FIRST.saturating_mul(1 << self.fails.min(10)).min(MOST);
        self.fails = self.fails.saturating_add(1);
        self.until = now + wait;
    }

    pub(crate) fn reset(&mut self) {
        *self = Backoff::default();
    }

    /// Returns true if the next attempt may begin.
    pub(crate) fn is_over(&self, now: Duration) -> bool {
        self.fails == 0 || now >= self.until
    }

    /// The number of attempts that failed since one succeeded.
    pub(crate) fn fails(&self) -> u32 {
        self.fails
    }
}

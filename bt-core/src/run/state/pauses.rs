//! Times at which the agent was paused.

/// The time for which the agent was paused, and the start of the present pause.
#[derive(Debug)]
pub(crate) struct Pauses {
    /// In nanoseconds: what cooldowns do not count.
    total: u64,
    /// In nanoseconds; [`NEVER`] without a pause.
    since: u64,
}

const NEVER: u64 = u64::MAX;

impl Default for Pauses {
    fn default() -> Pauses {
        Pauses {
            total: 0,
            since: NEVER,
        }
    }
}

impl Pauses {
    /// The start of the pause, if there is one.
    pub(crate) fn since(&self) -> Option<u64> {
        (self.since != NEVER).then_some(self.since)
    }

    /// A pause begins, unless there is one.
    pub(crate) fn begin(&mut self, now: u64) {
        if self.since == NEVER {
            self.since = now.min(NEVER - 1);
        }
    }

    /// The pause ends, if there is one; how long it was.
    pub(crate) fn end(&mut self, now: u64) -> Option<u64> {
        let paused = now.saturating_sub(self.since()?);
        self.since = NEVER;
        self.total += paused;
        Some(paused)
    }

    /// A time without the time of pauses.
    pub(crate) fn awake(&self, now: u64) -> u64 {
        now.saturating_sub(self.total)
    }
}

//! Times at which the agent was paused.

/// How long the agent was paused, and since when it is.
#[derive(Debug, Default)]
pub(crate) struct Pauses {
    /// In nanoseconds: what cooldowns do not count.
    total: u64,
    /// In nanoseconds.
    since: Option<u64>,
}

impl Pauses {
    /// When the pause began, if there is one.
    pub(crate) fn since(&self) -> Option<u64> {
        self.since
    }

    /// A pause begins, unless there is one.
    pub(crate) fn begin(&mut self, now: u64) {
        self.since.get_or_insert(now);
    }

    /// The pause ends, if there is one; how long it was.
    pub(crate) fn end(&mut self, now: u64) -> Option<u64> {
        let paused = now - self.since.take()?;
        self.total += paused;
        Some(paused)
    }

    /// A time without the time of pauses.
    pub(crate) fn awake(&self, now: u64) -> u64 {
        now.saturating_sub(self.total)
    }
}

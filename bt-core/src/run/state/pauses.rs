//! Times at which the agent was paused.

/// The time for which the agent was paused, and the start of the present pause.
#[derive(Debug, Default)]
pub(crate) struct Pauses {
    /// In nanoseconds: what cooldowns do not count.
    total: u64,
    /// In nanoseconds.
    since: Option<u64>,
}

impl Pauses {
    /// The start of the pause, if there is one.
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

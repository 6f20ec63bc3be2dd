//! Times as numbers, and a clock that stands.

use std::time::Duration;

/// So many nanoseconds; at most `u64::MAX`, which is 584 years.
#[inline]
pub(crate) fn nanos(time: Duration) -> u64 {
    // Two steps of 64 bits are a fraction of one of 128.
    let seconds = time.as_secs().saturating_mul(1_000_000_000);
    seconds.saturating_add(time.subsec_nanos().into())
}

/// Finds out that a host gives the time since its last frame, where the time since the start is meant: then the
/// clock stands from the beginning, at the time of the longest frame.
///
/// It is asked only when no time passes, so a clock that runs costs nothing. A game that is paused, and gives the
/// same time in each frame, is another matter: its clock ran before. One that is paused in its very first frames
/// is not told from the mistake.
///
/// It is what the clock said when it was looked at last, with a mark; 0 if there is nothing to look for. Runners have
/// one each, so it is small.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Standing(u32);

impl Standing {
    /// A time of that length or more is no frame's.
    const FRAME: u64 = 1_000_000_000;
    /// The clock did not run in its first readings.
    const WATCHED: u32 = 1 << 30;
    /// That it stands was said.
    const SAID: u32 = 1 << 31;
    /// Of the times of frames the second or the third reading is not later than the one before; of such that differ
    /// one of the first six is earlier.
    const FIRST: u32 = 3;
    const FIRST_BACK: u32 = 6;
    /// It is looked at as rarely; the same time twice is no progress.
    const EVERY: u32 = 64;

    /// The clock was read for the time of that number, and was at `now` already, or beyond; whether it is to be said
    /// that it stands, if anything waits for a time.
    pub(crate) fn look(&mut self, now: u64, number: u32, goes_back: bool, waits: bool) -> bool {
        if now == 0 || now >= Standing::FRAME {
            return false;
        }
        let now = now as u32;
        if *self == Standing::default() {
            let first = match goes_back {
                true => Standing::FIRST_BACK,
                false => Standing::FIRST,
            };
            self.0 = if number <= first {
                Standing::WATCHED
            } else {
                0
            };
            return false;
        }
        if self.0 & Standing::SAID != 0 || !number.is_multiple_of(Standing::EVERY) {
            return false;
        }
        let stands = self.0 == Standing::WATCHED | now && waits;
        let mark = if stands {
            Standing::SAID
        } else {
            Standing::WATCHED
        };
        self.0 = mark | now;
        stands
    }

    /// Whether it was said that the clock stands there.
    #[cfg(feature = "explain")]
    pub(crate) fn was_said_at(self, now: u64) -> bool {
        now < Standing::FRAME && self.0 == Standing::SAID | now as u32
    }

    /// What is to be said.
    pub(crate) fn says(now: u64, number: u32) -> String {
        let now = Duration::from_nanos(now);
        format!(
            "the clock stands at {now:?} after {number} polls, and something waits for a time: `now` is the time \
             since the start, not since the last frame"
        )
    }
}

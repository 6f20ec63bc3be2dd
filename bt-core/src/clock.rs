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
    pub(crate) fn look(
        &mut self,
        now: u64,
        number: u32,
        is_time_reversed: bool,
        waits: bool,
    ) -> bool {
        if now == 0 || now >= Standing::FRAME {
            return false;
        }
        let now = now as u32;
        if *self == Standing::default() {
            let first = match is_time_reversed {
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

    /// Returns true if it was said that the clock stands there.
    pub(crate) fn was_said_at(self, now: u64) -> bool {
        now < Standing::FRAME && self.0 == Standing::SAID | now as u32
    }

    /// The message that is to be said.
    pub(crate) fn says(now: u64, number: u32) -> String {
        let now = Duration::from_nanos(now);
        format!(
            "the clock stands at {now:?} after {number} polls, and something waits for a time: `now` is the time \
             since the start, not since the last frame"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reading at which it is said that a clock stands, of those that give these times in milliseconds.
    fn said(times: impl IntoIterator<Item = f64>) -> Option<usize> {
        let (mut standing, mut last, mut said) = (Standing::default(), 0, None);
        for (number, time) in times.into_iter().enumerate() {
            let now = (time * 1e6) as u64;
            if now > last {
                last = now;
            } else if standing.look(last, number as u32 + 1, now < last, true) {
                assert_eq!(said.replace(number + 1), None, "it is said once");
            }
        }
        said
    }

    /// The times of frames that are never the same.
    fn frames() -> impl Iterator<Item = f64> {
        let mut random = crate::Random::new(7);
        std::iter::repeat_with(move || random.float(14.0, 19.0))
    }

    #[test]
    fn clock_that_is_given_times_of_frames_stands() {
        assert_eq!(said([16.0; 1000]), Some(128));
        let zero_first = std::iter::once(0.0).chain([16.0; 1000]);
        assert_eq!(said(zero_first), Some(128));
        let found = said(frames().take(2000)).unwrap();
        assert!(found <= 640, "{found}");
        let slow_first = std::iter::once(400.0).chain(frames());
        assert_eq!(said(slow_first.take(2000)), Some(128));
    }

    #[test]
    fn clock_of_a_game_that_is_paused_was_right_before() {
        for frames in 3..200 {
            let runs = (0..frames).map(|frame| 4.0 * f64::from(frame));
            let stands = [4.0 * f64::from(frames); 10_000];
            assert_eq!(said(runs.chain(stands)), None, "after {frames} frames");
        }
        // It may begin paused, at the clock's beginning, or with a clock that began long ago.
        assert_eq!(said([0.0; 10_000]), None);
        assert_eq!(said([1000.0; 10_000]), None);
    }

    #[test]
    fn clock_that_runs_in_fixed_steps_does_not_stand() {
        for polls_a_step in [2, 3, 16, 63] {
            let times = (0..20_000).map(|poll| f64::from(poll / polls_a_step) + 1.0);
            assert_eq!(said(times), None, "{polls_a_step}");
        }
    }

    #[test]
    fn clock_that_stands_is_said_to_when_something_waits() {
        let mut standing = Standing::default();
        let mut look = |number: u32, waits| standing.look(5, number, false, waits);
        assert!((2..1000).all(|number| !look(number, false)));
        assert!((1000..1100).any(|number| look(number, true)));
        assert!((1100..9000).all(|number| !look(number, true)));
    }
}

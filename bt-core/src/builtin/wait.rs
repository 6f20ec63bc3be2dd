//! Waiting: for a time, or for polls.

use std::time::Duration;

use super::ActionAgent;
use crate::prelude::*;

/// Finishes with success after so many seconds; at once after none.
fn wait(cx: &mut Context, seconds: f64) -> Result<Option<bool>, String> {
    let wait = Duration::try_from_secs_f64(seconds)
        .map_err(|why| format!("cannot wait for {seconds:?} seconds: {why}"))?;
    if wait.is_zero() {
        return Ok(Some(true));
    }
    cx.finish_after(wait, true);
    Ok(None)
}

#[agent]
impl ActionAgent {
    /// Wait for a time.
    ///
    /// It waits as long as it says. The original waits for half a second at least; an agent that
    /// wants that overrides this action.
    ///
    /// # Returns
    /// `true` when the time is over, at once for 0; `false` at once, with a reason, if it is longer than
    /// a clock can say.
    #[action(category = "timer")]
    fn wait_for_seconds(
        cx: &mut Context,
        /// The time to wait.
        #[arg(min = 0.0, unit = "s")]
        duration: f64,
    ) -> Result<Option<bool>, String> {
        wait(cx, duration)
    }

    /// Wait for a random time.
    ///
    /// # Returns
    /// `true` when the time is over; `false` at once, with a reason, if the limits are the wrong
    /// way round or longer than a clock can say.
    #[action(category = "timer")]
    fn wait_for_random_seconds(
        cx: &mut Context,
        /// The shortest time.
        #[arg(min = 0.0, unit = "s")]
        low: f64,
        /// The longest time.
        #[arg(min = 0.0, unit = "s")]
        high: f64,
    ) -> Result<Option<bool>, String> {
        if high < low {
            return Err(format!(
                "no time is at least {low:?} and at most {high:?} seconds"
            ));
        }
        let seconds = cx.random().float(low, high);
        wait(cx, seconds)
    }

    /// Wait for polls.
    ///
    /// The poll that it is entered in counts: 1 ends in that poll, 100 entered in poll 1 ends in
    /// poll 100.
    ///
    /// # Returns
    /// `true` when they are over; at once for 0.
    #[action(category = "timer")]
    fn wait_frames(
        cx: &mut Context,
        /// The number of polls to wait.
        frames: u32,
    ) -> Option<bool> {
        if frames == 0 {
            return Some(true);
        }
        cx.finish_after_polls(frames, true);
        None
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use crate::Outcome;
    use crate::builtin::bench::{Bench, does, fails, refuses};

    #[test]
    fn a_wait_ends_after_its_time_however_short() {
        let mut bench = Bench::new(json!({}));
        bench.set_now(Duration::from_secs(10));
        for (seconds, millis) in [(1.5, 11_500), (0.01, 10_010)] {
            let outcome = bench
                .outcome("wait_for_seconds", &json!([seconds]))
                .unwrap();
            assert_eq!(outcome, Outcome::Pending);
            let end = Duration::from_millis(millis);
            assert_eq!(bench.ends().after, Some((end, true)), "{seconds}");
        }
        does(json!({}), "wait_for_seconds", json!([0.0]), json!({}));
        does(
            json!({}),
            "wait_for_random_seconds",
            json!([0, 0]),
            json!({}),
        );
    }

    #[test]
    fn a_time_that_is_none_is_refused() {
        refuses("wait_for_seconds", json!([-0.1]), "expected 0.0");
        refuses("wait_for_seconds", json!([null]), "null");
        fails(
            json!({}),
            "wait_for_seconds",
            json!([1e300]),
            "cannot wait for 1e300 seconds",
        );
        refuses(
            "wait_for_random_seconds",
            json!([-1, 1]),
            "is -1, expected 0.0 at least",
        );
        fails(
            json!({}),
            "wait_for_random_seconds",
            json!([2, 1]),
            "at least 2.0 and at most 1.0",
        );
        fails(
            json!({}),
            "wait_for_random_seconds",
            json!([1e300, 1e300]),
            "cannot wait for 1e300 seconds",
        );
    }

    #[test]
    fn a_random_wait_keeps_its_limits() {
        let mut bench = Bench::new(json!({}));
        let mut all = std::collections::BTreeSet::new();
        for _ in 0..50 {
            let called = bench.outcome("wait_for_random_seconds", &json!([1, 2]));
            assert_eq!(called.unwrap(), Outcome::Pending);
            let (end, success) = bench.ends().after.unwrap();
            assert!(
                success && (1.0..2.0).contains(&end.as_secs_f64()),
                "{end:?}"
            );
            all.insert(end);
        }
        assert!(all.len() > 40, "not always the same");
    }

    #[test]
    fn wait_frames_waits_for_polls_and_ends_at_once_with_zero() {
        let mut bench = Bench::new(json!({}));
        for frames in [1, 100, u32::MAX] {
            let outcome = bench.outcome("wait_frames", &json!([frames])).unwrap();
            assert_eq!(outcome, Outcome::Pending);
            assert_eq!(bench.ends().polls, Some((frames, true)));
        }
        does(json!({}), "wait_frames", json!([0]), json!({}));
        refuses("wait_frames", json!([-1]), "-1");
    }
}

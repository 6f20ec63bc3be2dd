//! The agent whose leaves every engine calls.

use std::time::Duration;

use bt_core::Completion;
use bt_core::prelude::*;

/// The body that leaves act upon. They do next to nothing, and their work shows in the [tally](Body::tally).
#[derive(Debug, Agent)]
pub struct Body {
    visits: u64,
    targets: i64,
    ranges: f64,
    /// The two arguments, for engines that read them off the agent.
    #[property]
    pub target: i64,
    /// See `target`.
    #[property]
    pub range: f64,
    calm: bool,
    /// The answer of somebody else, which an agent waits for.
    pub answered: bool,
    /// The host's time, for engines whose leaves have to look at it.
    pub now: Duration,
    completion: Option<Completion>,
}

impl Default for Body {
    fn default() -> Body {
        Body {
            visits: 0,
            targets: 0,
            ranges: 0.0,
            target: Body::TARGET,
            range: Body::RANGE,
            calm: true,
            answered: false,
            now: Duration::ZERO,
            completion: None,
        }
    }
}

impl Body {
    /// The first argument of every leaf with arguments.
    pub const TARGET: i64 = 7;
    /// The second.
    pub const RANGE: f64 = 2.5;
    /// The time that a leaf waits, in seconds: longer than any bench.
    pub const WAIT: f64 = 1e6;

    /// The sum of all calls of leaves.
    pub fn tally(&self) -> u64 {
        Body::tally_of(self.visits, self.targets, self.ranges)
    }

    /// The same, for an engine that cannot lend its leaves a body.
    pub fn tally_of(visits: u64, targets: i64, ranges: f64) -> u64 {
        visits + targets.unsigned_abs() + ranges as u64
    }
}

#[agent]
impl Body {
    /// Count.
    #[action]
    #[inline]
    pub fn count_up(&mut self) {
        self.visits += 1;
    }

    /// Count, with two arguments.
    #[action]
    #[inline]
    pub fn strike(&mut self, target: i64, range: f64) {
        self.visits += 1;
        self.targets += target;
        self.ranges += range;
    }

    /// Always.
    #[condition]
    #[inline]
    pub fn is_calm(&self) -> bool {
        self.calm
    }

    /// Never.
    #[condition]
    #[inline]
    pub fn is_angry(&self) -> bool {
        !self.calm
    }

    /// Count, and go on counting at every poll.
    #[action]
    fn keep_counting(&mut self) -> Status {
        self.visits += 1;
        Status::Running
    }

    /// Wait for somebody else.
    #[action]
    fn wait_for_answer(&mut self, cx: &mut Context) -> Option<bool> {
        self.completion = Some(cx.completion());
        None
    }

    /// Wait for somebody else, or a time; with something to be dropped in the end.
    #[action]
    fn wait_for_either(&mut self, cx: &mut Context) -> Option<bool> {
        self.completion = Some(cx.completion());
        cx.finish_after(Duration::from_secs_f64(Body::WAIT), false);
        cx.on_exit(Released(0));
        None
    }
}

/// A value that an agent holds while it waits, such as a reservation.
struct Released(#[expect(dead_code, reason = "a guard is as large as a handle")] u64);

impl Drop for Released {
    fn drop(&mut self) {
        std::hint::black_box(());
    }
}

//! The reasons why an agent stands still: what it waits for, since when, and what would wake it.
//!
//! An [`Explanation`] comes from a [runner](crate::Runner::explain), or from a trace by an
//! [`Explainer`]; its [`Display`](std::fmt::Display) is words.
//!
//! ```
//! use bt_core::prelude::*;
//! use bt_core::tree::asset::spec::{action, guard, select, wait_event};
//! use bt_core::{Runner, TreeAsset, TreeSet};
//! use std::time::Duration;
//!
//! #[derive(Agent)]
//! struct Sentinel;
//!
//! #[agent]
//! impl Sentinel {
//!     #[condition]
//!     fn sees(range: f64) -> bool { range > 9.0 }
//!     #[action]
//!     fn attack(&mut self) {}
//! }
//!
//! let attack = action("attack").guard(guard("sees").key("range").set("abort", "lower"));
//! let mut trees = TreeSet::<Sentinel>::new();
//! trees.add(TreeAsset::build("gate.json", "sentinel", select([attack, wait_event("heard")])));
//! let mut runner = Runner::new(&trees.build()?, "gate.json")?;
//! runner.blackboard().set("range", 5.0);
//! runner.start();
//! runner.poll(&mut Sentinel, Duration::from_secs(10));
//! assert_eq!(
//!     runner.explain_at(Duration::from_secs(12)).to_string(),
//!     "\
//! gate.json runs; at 12 s, poll 1 was the last, at 10 s
//! waiting: gate.json: node 3 (wait_event `heard`)
//!   in gate.json: 0 root > 1 select
//!   since 10 s, for 2 s
//!   until event `heard` comes: fire it at its runner
//! refused: gate.json: node 2 (action `attack`)
//!   its guard `sees`(key `range` = 5.0) does not hold, last evaluated in poll 1
//!   as soon as it holds, it takes over from what runs
//! "
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod changes;
mod traced;
mod waiting;
mod words;

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::trace::Place;

pub use crate::trace::{Suspended, TreeState};
pub use traced::Explainer;
pub use waiting::{Above, CallArgument, Condition, ForcedEnd, Refusal, Waiting, Why};

/// The state of an agent at a moment. Times are nanoseconds on the host's clock.
///
/// A runner makes it, and its trace carries it: from a trace it is what the runner explained then, and what
/// became of events besides.
///
/// ```
/// use bt_core::builtin::ActionAgent;
/// use bt_core::tree::asset::spec::action;
/// use bt_core::{Runner, TreeAsset, TreeSet};
/// use std::time::Duration;
///
/// let mut trees = TreeSet::<ActionAgent>::new();
/// trees.add(TreeAsset::build("nap", "action_agent", action("wait_for_seconds").arg(5)));
/// let mut runner = Runner::new(&trees.build()?, "nap")?;
/// runner.start();
/// runner.poll(&mut ActionAgent, Duration::ZERO);
/// runner.poll(&mut ActionAgent, Duration::from_secs(2));
///
/// let explanation = runner.explain();
/// assert_eq!(explanation.tree, "nap");
/// assert!(explanation.to_string().contains("until 5 s"), "{explanation}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
#[must_use]
pub struct Explanation {
    /// The agent's name, if a trace says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The name of the current tree.
    pub tree: String,
    /// The state of the tree.
    pub state: TreeState,
    /// As of when.
    pub at: u64,
    /// The number of the last poll, from 1; of a trace, of the last that had something to do.
    #[serde(default)]
    pub poll: u32,
    /// The time of that poll.
    #[serde(default)]
    pub polled_at: u64,
    /// The time that the last poll was given, if that lay before an earlier one's: it counted as
    /// unchanged, and no time has passed since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub went_back: Option<u64>,
    /// True if its clock stands, and did not run in its first polls either, though something waits for a
    /// time: the host probably gives the time since the last frame.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub clock_stands: bool,
    /// The end of its trace, if it is made of one and all of it was read: the reader sets it. Later events
    /// are unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace_end: Option<u64>,
    /// The time of the next poll if nothing happens before; the time of the last poll, or an earlier one, for
    /// as soon as possible.
    pub next_wake: Option<u64>,
    /// The time of the next turn, if there is not one in every poll and something waits for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_turn: Option<u64>,
    /// Since when it is paused.
    pub paused: Option<u64>,
    /// Since when it was paused, if it was resumed and not polled since: what waits for a time waits as much
    /// longer as that poll is later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resumed: Option<u64>,
    /// True if a debugger has stopped it: it counts as paused.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
    /// True if the last poll ended because [its budget](crate::Runner::budget) was spent.
    pub spent: bool,
    /// The events that the next poll delivers.
    pub queued: Vec<String>,
    /// The trees that events suspended, the last one last.
    pub suspended: Vec<Suspended>,
    /// The nodes that wait, in the order in which nodes run; suspended ones first.
    pub waiting: Vec<Waiting>,
    /// The nodes that are not entered although they may be evaluated, by tree and `idx`. Where a runner
    /// neither [keeps results](crate::Runner::keep_results) nor is traced, guards are among them only while
    /// they are observed. Those that were evaluated last before the current run began are omitted.
    pub refusals: Vec<Refusal>,
    /// The nodes whose result a debugger forces, of trees that there are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forced: Vec<ForcedEnd>,
    /// The last things that went wrong, the newest last.
    pub diagnostics: Vec<Said>,
    /// The result of the tree in the last poll, if it begins again in the next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<bool>,
    /// Leaves that failed last, if that is how it ended. Where a runner does not
    /// [keep results](crate::Runner::keep_results), the one by which the tree failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<Place<'static>>,
    /// The nodes above the one by which the tree failed, the outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed_path: Vec<Place<'static>>,
    /// The reasons of the last failed actions, the newest last.
    pub failures: Vec<Said>,
    /// The fates of the last events, the newest last: of a trace.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<EventNote>,
}

/// Something that was said of a node, or of the agent as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Said {
    /// The time.
    pub at: u64,
    /// In which poll.
    pub poll: u32,
    /// About what: "hunt.json: node 3 (action `chase`)", or a tree.
    pub place: String,
    /// The text.
    pub message: String,
    /// The number of times that that was said of it, as far as it is known: the last time is `at`.
    #[serde(default = "once")]
    pub times: u32,
}

fn once() -> u32 {
    1
}

impl Said {
    /// Puts it at the end; what said the same becomes one with it.
    pub(crate) fn join(mut self, all: &mut Vec<Said>) {
        let same = |other: &Said| other.place == self.place && other.message == self.message;
        if let Some(found) = all.iter().position(same) {
            self.times = self.times.saturating_add(all.remove(found).times);
        }
        all.push(self);
    }
}

/// The fate of an event, with its time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct EventNote {
    /// The time.
    pub at: u64,
    /// In which poll.
    pub poll: u32,
    /// Its name.
    pub event: String,
    /// Its fate.
    pub fate: Fate,
    /// The node that fired or took it; none if the host fired it, or nobody took it.
    pub node: Option<Place<'static>>,
}

/// The fate of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Fate {
    /// It was fired.
    Fired,
    /// A node took it.
    Consumed,
    /// Nobody took it.
    Dropped,
    /// Nobody took it, and it is kept for who waits for it next.
    Kept,
}

impl Explanation {
    /// As of when, on the host's clock.
    pub fn time(&self) -> Duration {
        Duration::from_nanos(self.at)
    }

    /// The same as of another time, at the earliest its own, if nothing happens until then.
    pub(crate) fn at_time(mut self, at: u64) -> Explanation {
        let passed = at.saturating_sub(self.at);
        if passed == 0 {
            return self;
        }
        self.at = at;
        (self.went_back, self.clock_stands) = (None, false);
        if self.paused.is_some() {
            return self;
        }
        if self.resumed.is_some() {
            let waits = self.waiting.iter_mut().flat_map(Waiting::times);
            let waits = waits.chain(&mut self.next_turn);
            waits.for_each(|until| *until = until.saturating_add(passed));
            return self;
        }
        self.refusals.retain_mut(|refusal| match &mut refusal.why {
            Why::Cooldown { left } => {
                *left = left.saturating_sub(passed);
                *left > 0
            }
            Why::Guard { .. } | Why::RunLimit { .. } | Why::Once | Why::Other { .. } => true,
        });
        self
    }

    /// Returns true if the tree runs and is not paused: what stands still waits for something.
    pub fn is_running(&self) -> bool {
        self.state == TreeState::Running && self.paused.is_none()
    }

    /// The time that remains until a time, counted as long as the agent is not paused; none if that time has
    /// passed.
    pub fn left(&self, until: u64) -> Option<Duration> {
        let now = self.paused.map_or(self.at, |since| since.min(self.at));
        let left = until.checked_sub(now)?;
        (left > 0).then(|| Duration::from_nanos(left))
    }

    /// Returns true if it wanted to be polled before, and was not.
    pub fn is_overdue(&self) -> bool {
        let wanted = self.next_wake.is_some_and(|wanted| wanted <= self.at);
        wanted && self.paused.is_none() && self.polled_at < self.at
    }
}

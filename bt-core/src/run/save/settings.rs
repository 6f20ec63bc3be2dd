//! The settings and the state of a runner besides its trees, saved and restored.

use serde::{Deserialize, Serialize};

use crate::decode::is_default;
use crate::run::core::{BUDGET, Core};
use crate::run::plain::{Phase, Quiet, Restored};
use crate::run::state::pace::Pace;
use crate::snapshot::RestoreError;

/// More entries than an agent ever has, and half of what there are numbers for.
pub(in crate::run) const MOST_ENTRIES: u64 = 1 << 39;

/// The runner's settings, counters and marks, in a saved agent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    pub(crate) phase: Phase,
    /// The number of the last poll.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) poll: u32,
    /// The number of the last entry.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) order: u64,
    /// The host's mode, if it set one.
    #[serde(default, skip_serializing_if = "is_default")]
    again: Option<bool>,
    #[serde(default, skip_serializing_if = "is_default")]
    budget: Option<u32>,
    #[serde(default, skip_serializing_if = "is_default")]
    started: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    paused: bool,
    /// It was paused and resumed, and not polled since.
    #[serde(default, skip_serializing_if = "is_default")]
    resumed: bool,
    /// The time between the start of that pause and the save, in nanoseconds.
    #[serde(default, skip_serializing_if = "is_default")]
    paused_ago: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    interrupted: bool,
    /// The next poll has more to do than to look at the clock.
    #[serde(default, skip_serializing_if = "is_default")]
    awake: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    last: Option<bool>,
    #[serde(default, skip_serializing_if = "is_default")]
    keeps_results: bool,
    /// Events that nobody knows, and that were reported.
    #[serde(default, rename = "strange_events", skip_serializing_if = "is_default")]
    unknown_events: Vec<String>,
    /// The time between two turns, and what waits for the host.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) pace: Option<Box<Pace>>,
    /// The state of the random stream, 16 hexadecimal digits.
    random: String,
}

impl Settings {
    /// At a time that others count from.
    pub(super) fn of(core: &Core, now: u64) -> Settings {
        let cold = core.cold.as_deref();
        let restored = cold.and_then(|cold| cold.restored.as_deref());
        // There may be a pause that the next poll ends.
        let since = core.paused_since();
        let pauses = restored.map_or(since.is_some(), |restored| restored.pauses(core));
        let quiet =
            core.quiet != Quiet::No || restored.is_some_and(|restored| restored.was_quiet(core));
        let unknown = cold.map_or(&[][..], |cold| cold.reports.unknown_events());
        Settings {
            phase: core.phase,
            poll: core.poll,
            order: core.last_order().number(),
            again: core.again,
            budget: (core.max_budget != BUDGET).then_some(core.max_budget),
            started: core.is_started(),
            paused: core.is_paused_by_host(),
            resumed: !core.is_paused_by_host() && pauses,
            paused_ago: match restored {
                Some(restored) if !restored.landed => restored.paused_ago,
                _ => since.map_or(0, |since| core.now() - since),
            },
            interrupted: core.interrupted.any(),
            awake: !quiet || core.session.has_arrived() || core.session.board().has_news(),
            last: core.last,
            keeps_results: cold.is_some_and(|cold| cold.results.are_kept()),
            unknown_events: unknown.iter().map(ToString::to_string).collect(),
            pace: core.its_pace().map(|pace| Box::new(pace.left(now))),
            random: hash_text(core.session.random_state()),
        }
    }

    /// Restores them, whatever runs; but for the phase, which depends on that.
    pub(in crate::run) fn apply(&self, core: &mut Core) -> Result<(), RestoreError> {
        let digits = self.random.len() == 16 && self.random.bytes().all(|b| b.is_ascii_hexdigit());
        let state = u64::from_str_radix(&self.random, 16);
        let Some(state) = state.ok().filter(|_| digits) else {
            let found = crate::text::name(&self.random);
            return Err(RestoreError::malformed(format!(
                "`random`: expected 16 hexadecimal digits, found `{found}`"
            )));
        };
        core.session.seed(state);
        if let Some(pace) = &self.pace {
            *core.pace() = Pace::clone(pace);
        }
        core.poll = self.poll;
        if self.order <= MOST_ENTRIES {
            core.set_last_order(self.order);
        }
        core.again = self.again;
        if self.started {
            core.set_started();
        }
        if self.keeps_results {
            core.cold().results.keep(true);
        }
        core.paused = self.paused;
        core.interrupted.set_reacts(self.interrupted);
        core.last = self.last;
        core.update_is_traced();
        core.max_budget = self.budget.unwrap_or(core.max_budget).max(1);
        if !self.unknown_events.is_empty() {
            let known = self.unknown_events.iter().map(String::as_str);
            core.cold().reports.restore_events(known);
        }
        Ok(())
    }

    /// Lets an agent whose settings are restored wait for the host's clock. Times are times left, as in a pause
    /// that began at 0.
    pub(in crate::run) fn wait_for_the_clock(&self, core: &mut Core, restored: Restored) {
        let cold = core.cold();
        cold.pauses.begin(0);
        cold.restored = Some(Box::new(Restored {
            pauses: self.paused || self.resumed,
            paused_ago: self.paused_ago,
            quiet: restored.quiet && !self.awake,
            ..restored
        }));
        core.quiet = Quiet::No;
    }
}

/// 16 hexadecimal digits: readers that take numbers as floats keep them.
pub(in crate::run) fn hash_text(hash: u64) -> String {
    format!("{hash:016x}")
}

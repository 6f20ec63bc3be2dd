//! A tracer that replays what it is told, as it is told, and compares with the runner.

use std::time::Duration;

use bt_core::explain::Explainer;
use bt_core::trace::{Record, Replay, Tracer, What};
use bt_core::{Agent, Runner};

use super::agree;

/// Replays a trace while it grows. Every third poll begins with a snapshot.
#[derive(Debug, Default)]
pub struct Replayed {
    replay: Replay,
    explainer: Explainer,
    polls: u32,
    faults: Vec<String>,
    /// The last records, for who looks for a fault.
    last: Vec<String>,
}

impl Replayed {
    /// Checks that the trace so far makes sense, and leads to what the runner shows.
    ///
    /// # Panics
    /// If not.
    pub fn check<A: Agent>(runner: &Runner<A>) {
        let Some(traced) = runner.tracer::<Replayed>() else {
            return;
        };
        assert!(
            traced.faults.is_empty(),
            "{:#?}\n{:#?}",
            traced.faults,
            traced.last
        );
        let told = traced.replay.picture();
        assert_eq!(
            *told,
            runner.picture(),
            "the replay, and the runner: {:#?}",
            traced.last
        );
        let live = runner.explain();
        // A debugger stops in the middle of a poll; a trace explains what is at its end.
        if live.stopped {
            return;
        }
        let told = traced.explainer.explain_at(Duration::from_nanos(live.at));
        agree(&live, &told.unwrap_or_else(|| panic!("nothing is known")));
    }
}

impl Tracer for Replayed {
    fn record(&mut self, record: &Record<'_>) {
        let json = serde_json::to_string(record).unwrap_or_default();
        if self.last.len() == 60 {
            self.last.remove(0);
        }
        match serde_json::from_str::<Record<'static>>(&json) {
            Ok(read) if read == *record => {}
            Ok(read) => self.faults.push(format!("{json} is read as {read:?}")),
            Err(error) => self.faults.push(format!("{json} is not read: {error}")),
        }
        let before = self.replay.picture().clone();
        if let Err(error) = self.replay.apply(record) {
            self.faults.push(error.to_string());
        }
        if let Err(error) = self.explainer.apply(record) {
            self.faults.push(error.to_string());
        }
        if matches!(record.what, What::Snapshot(_)) && self.polls > 0 {
            let now = self.replay.picture();
            // Runs are counted anew: only how many nodes are active can be compared.
            if before.active.len() != now.active.len() {
                self.faults
                    .push(format!("{before:?} led to the snapshot {now:?}"));
            }
        }
        self.last.push(json);
    }

    fn wants_snapshot(&mut self) -> bool {
        self.polls += 1;
        self.polls.is_multiple_of(3)
    }

    fn wants_explanations(&mut self) -> bool {
        true
    }
}

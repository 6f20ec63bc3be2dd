//! The same from a trace: what the runner explained then, taken from its records.

use std::collections::VecDeque;
use std::time::Duration;

use super::changes::apply_changes;
use super::{EventNote, Explanation, Fate};
use crate::clock::nanos;
use crate::trace::{Place, Record, Replay, ReplayError, What};

/// The number of the last events that are kept.
const LAST: usize = 5;

/// Goes through the records of one agent's trace, and explains why the agent waits after them.
///
/// The runner explains, and the trace carries that: the tracer must
/// [want explanations](crate::trace::Tracer::wants_explanations), as [`JsonLines`](crate::trace::JsonLines)
/// does.
#[derive(Debug, Clone, Default)]
pub struct Explainer {
    replay: Replay,
    /// As of the last record that changed it.
    explanation: Option<Box<Explanation>>,
    events: VecDeque<EventNote>,
}

impl Explainer {
    /// Before the first record.
    pub fn new() -> Explainer {
        Explainer::default()
    }

    /// The present state.
    pub fn replay(&self) -> &Replay {
        &self.replay
    }

    /// Continues with the next record.
    ///
    /// # Errors
    /// As [`Replay::apply`]; and if what a record changes in the explanation does not fit it.
    pub fn apply(&mut self, record: &Record<'_>) -> Result<(), ReplayError> {
        self.replay.apply(record)?;
        if !self.replay.has_begun() {
            return Ok(());
        }
        if let What::Snapshot(_) = &record.what {
            // Runs are counted anew: what names them follows.
            self.explanation = None;
        } else if let What::Explains { changes } = &record.what {
            let before = self.explanation.take();
            let before = before.map(|before| before.at_time(record.ns));
            let mut value = serde_json::to_value(before).unwrap_or_default();
            let changed = apply_changes(&mut value, changes)
                .then(|| serde_json::from_value(value).ok())
                .flatten();
            let misfit = || ReplayError::new(record, "does not fit the explanation before it");
            self.explanation = Some(changed.ok_or_else(misfit)?);
        } else if let What::EventFired { event, .. } = &record.what {
            self.event(record, event, Fate::Fired);
        } else if let What::EventConsumed { event, .. } = &record.what {
            self.event(record, event, Fate::Consumed);
        } else if let What::EventDropped { event } = &record.what {
            self.event(record, event, Fate::Dropped);
        } else if let What::EventKept { event } = &record.what {
            self.event(record, event, Fate::Kept);
        }
        Ok(())
    }

    fn event(&mut self, record: &Record<'_>, event: &str, fate: Fate) {
        if self.events.len() == LAST {
            self.events.pop_front();
        }
        self.events.push_back(EventNote {
            at: record.ns,
            poll: record.poll,
            event: event.to_owned(),
            fate,
            node: record.at.as_ref().map(Place::owned),
        });
    }

    /// The reasons why the agent waits after the records so far, as of a time on the host's clock, at the
    /// earliest the last record's; none if there was no explanation among the records since the last
    /// snapshot.
    pub fn explain_at(&self, now: Duration) -> Option<Explanation> {
        let (poll, polled_at) = self.replay.poll();
        let polled_at = nanos(polled_at);
        let at = nanos(now);
        let explanation = self.explanation.as_deref()?.clone();
        let mut explanation = explanation.at_time(at.max(polled_at));
        explanation.poll = poll;
        explanation.polled_at = polled_at;
        let wake = explanation.next_wake;
        explanation.next_wake = wake.map(|wake| wake.max(polled_at));
        explanation.events.extend(self.events.iter().cloned());
        Some(explanation)
    }
}

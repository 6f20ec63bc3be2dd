//! One agent's records up to a moment.

use std::time::Duration;

use bt_core::explain::{Explainer, Explanation};
use bt_core::trace::Record;

/// Times are shown to the millisecond: as much more is still the same time.
const NEAR: Duration = Duration::from_micros(500);

/// The moment of a trace; its end if neither part is given.
#[derive(Debug, Clone, Copy, Default)]
pub struct Moment {
    /// A time on the host's clock.
    pub at: Option<Duration>,
    /// The number of a poll: the moment when it has ended.
    pub poll: Option<u32>,
}

/// The message about a trace without explanations.
const UNEXPLAINED: &str = "it says what happened, and not why the agent waits: it was recorded before \
                           bt-core's traces carried that, or by a tracer that did not ask for it; \
                           expected `explains` records, as `bt_core::trace::JsonLines` writes them: \
                           record it again";

/// The moment of a record: its poll, and its time.
type When = (u32, Duration);

pub(super) struct Story {
    moment: Moment,
    explainer: Explainer,
    any: bool,
    /// The first and the last record, from the first snapshot on.
    range: Option<(When, When)>,
}

impl Story {
    pub(super) fn new(moment: Moment) -> Story {
        Story {
            moment,
            explainer: Explainer::new(),
            any: false,
            range: None,
        }
    }

    /// Goes on by a record.
    pub(super) fn go_on(&mut self, record: &Record<'_>) -> Result<(), String> {
        self.any = true;
        let when = (record.poll, record.time());
        let late = self
            .moment
            .at
            .is_some_and(|at| when.1 > at.saturating_add(NEAR))
            || self.moment.poll.is_some_and(|poll| when.0 > poll);
        if !late {
            self.explainer.apply(record).map_err(|error| {
                format!("{error}: what came before that in the trace is not all in the file")
            })?;
        }
        if let Some((_, last)) = &mut self.range {
            *last = when;
        } else if record.what.command() == "snapshot" {
            self.range = Some((when, when));
        }
        Ok(())
    }

    pub(super) fn end(self) -> Result<Explanation, String> {
        let Some((first, last)) = self.range else {
            return Err(match self.any {
                true => "it has no snapshot, which a trace begins with: give the file from its \
                         beginning"
                    .to_owned(),
                false => "there is no record in it".to_owned(),
            });
        };
        let range = || {
            format!(
                "the trace goes from {}, in poll {}, to {}, in poll {}",
                seconds(first.1),
                first.0,
                seconds(last.1),
                last.0
            )
        };
        let early = match self.moment {
            Moment { at: Some(at), .. } if at.saturating_add(NEAR) < first.1 => Some(seconds(at)),
            Moment {
                poll: Some(poll), ..
            } if poll < first.0 => Some(format!("poll {poll}")),
            _ => None,
        };
        if let Some(early) = early {
            return Err(format!("{early} is before its first record; {}", range()));
        }
        let at = self.moment.at.unwrap_or_default();
        let mut explanation = self.explainer.explain_at(at).ok_or(UNEXPLAINED)?;
        // What comes after the last record is as that left it, and older.
        let is_end = match self.moment {
            Moment { at: Some(at), .. } => at > last.1.saturating_add(NEAR),
            Moment {
                poll: Some(poll), ..
            } => poll > last.0,
            _ => true,
        };
        explanation.trace_end = is_end.then_some(explanation.polled_at);
        Ok(explanation)
    }
}

/// "12.5 s", to the millisecond.
fn seconds(time: Duration) -> String {
    let text = format!("{:.3}", time.as_secs_f64());
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text} s")
}

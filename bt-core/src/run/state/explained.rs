//! The explanation that a tracer last got.

use crate::explain::Explanation;
use crate::explain::changes::changes;
use crate::trace::Change;

/// The explanation that a tracer last got.
#[derive(Debug)]
pub(crate) struct Explained {
    is_wanted: bool,
    /// The last explanation; none before the first.
    last: Option<Box<Explanation>>,
}

impl Explained {
    /// Before the first explanation, for a tracer that wants them or not.
    pub(crate) fn new(is_wanted: bool) -> Explained {
        Explained {
            is_wanted,
            last: None,
        }
    }

    /// Returns true if the tracer wants them.
    pub(crate) fn is_wanted(&self) -> bool {
        self.is_wanted
    }

    /// The tracer gets all of it the next time.
    pub(crate) fn forget(&mut self) {
        self.last = None;
    }

    /// The changes since the tracer got the explanation last, but for those that follow from the time that
    /// passed.
    pub(crate) fn changes(&mut self, mut now: Explanation) -> Vec<Change> {
        // Each record has these.
        (now.poll, now.polled_at) = (0, 0);
        // As soon as there is a next poll: that stays so.
        now.next_wake = now.next_wake.map(|wake| match wake <= now.at {
            true => 0,
            false => wake,
        });
        let last = self.last.take().map(|last| last.at_time(now.at));
        if last.as_ref() == Some(&now) {
            self.last = Some(Box::new(now));
            return Vec::new();
        }
        let json = |explanation: &Option<Explanation>| {
            let value = serde_json::to_value(explanation);
            debug_assert!(value.is_ok(), "an explanation has a JSON form");
            value.unwrap_or_default()
        };
        let now = Some(now);
        let changes = changes(&json(&last), &json(&now));
        self.last = now.map(Box::new);
        changes
    }
}

//! The records of the agent since the session began, in which one steps back at no risk to the game.

use std::collections::VecDeque;

use bt_core::trace::{Picture, Record, Replay, What};

/// How many records are kept.
const MOST: usize = 200_000;

/// The records, and where in them one looks.
#[derive(Debug, Default)]
pub(super) struct History {
    records: VecDeque<Record<'static>>,
    /// The number of records that have happened where one looks; none: now.
    at: Option<usize>,
}

impl History {
    pub(super) fn add(&mut self, records: impl IntoIterator<Item = Record<'static>>) {
        self.records.extend(records);
        while self.records.len() > MOST {
            self.records.pop_front();
            self.at = self.at.map(|at| at.saturating_sub(1));
        }
    }

    /// Whether one looks at the past.
    pub(super) fn is_past(&self) -> bool {
        self.at.is_some()
    }

    pub(super) fn look_at_now(&mut self) {
        self.at = None;
    }

    /// Looks at the beginning.
    pub(super) fn look_at_start(&mut self) {
        let first = self.steps().next();
        self.at = first;
    }

    /// The places at which one can look: after each node that is entered or exited.
    fn steps(&self) -> impl DoubleEndedIterator<Item = usize> {
        let records = self.records.iter().enumerate();
        records
            .filter(|(_, record)| matches!(record.what, What::NodeEnter | What::NodeLeave { .. }))
            .map(|(at, _)| at + 1)
    }

    /// The record that happened last.
    pub(super) fn last(&self) -> Option<&Record<'static>> {
        self.records.get(self.at?.checked_sub(1)?)
    }

    /// Goes back to the last step that is meant; whether there is one.
    pub(super) fn back(&mut self, is_meant: impl Fn(&Record<'_>) -> bool) -> bool {
        // Now is where the last step led.
        let end = self.at.or_else(|| self.steps().next_back()).unwrap_or(0);
        let earlier = self.steps().rev().filter(|at| *at < end);
        let found = { earlier }.find(|at| is_meant(&self.records[*at - 1]));
        let first = self.steps().next();
        // Where nothing stops it, it goes back to the first.
        self.at = found.or(first).or(self.at);
        found.is_some()
    }

    /// Goes forward to the next step that is meant; whether that is in the past, too.
    pub(super) fn forward(&mut self, is_meant: impl Fn(&Record<'_>) -> bool) -> bool {
        let Some(now) = self.at else {
            return false;
        };
        let found = {
            let mut later = self.steps().filter(|at| *at > now);
            later.find(|at| is_meant(&self.records[*at - 1]))
        };
        self.at = found;
        found.is_some()
    }

    /// The last step of all.
    pub(super) fn look_at_end(&mut self) {
        let last = self.steps().next_back();
        self.at = last;
    }

    /// What there was where one looks.
    pub(super) fn picture(&self) -> Picture {
        let until = self
            .at
            .unwrap_or(self.records.len())
            .min(self.records.len());
        let before = || self.records.range(..until);
        let is_key = |record: &Record<'_>| matches!(record.what, What::Snapshot(_));
        let from = before().rposition(is_key).unwrap_or(0);
        let mut replay = Replay::new();
        for record in self.records.range(from..until) {
            // One that does not follow is of a gap, and a snapshot comes.
            _ = replay.apply(record);
        }
        replay.picture().clone()
    }
}

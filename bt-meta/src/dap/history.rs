//! The records of the agent since the session began, in which one steps back at no risk to the game.

use std::collections::VecDeque;

use bt_core::trace::{Picture, Record, Replay, What};
use serde_json::Value;

/// The number of records that are kept.
const MOST: usize = 200_000;

/// The number of bytes of messages whose records are kept.
const MOST_BYTES: usize = 64 << 20;

/// The records, and where in them one looks.
#[derive(Debug, Default)]
pub(super) struct History {
    records: VecDeque<Record<'static>>,
    /// The number of bytes of its message that each of them took.
    sizes: VecDeque<usize>,
    bytes: usize,
    /// The state before the first of them.
    before: Replay,
    /// The state after the last.
    now: Replay,
    /// The number of records that have happened where one looks; none: now.
    at: Option<usize>,
}

impl History {
    /// Adds a record that took so many bytes of its message.
    pub(super) fn add(&mut self, record: Record<'static>, bytes: usize) {
        follow(&mut self.now, &record);
        self.records.push_back(record);
        self.sizes.push_back(bytes);
        self.bytes += bytes;
        self.keep(MOST, MOST_BYTES);
    }

    /// Forgets the oldest records.
    fn keep(&mut self, most: usize, most_bytes: usize) {
        while (self.records.len() > most || self.bytes > most_bytes)
            && let Some(record) = self.records.pop_front()
        {
            self.bytes -= self.sizes.pop_front().unwrap_or(0);
            follow(&mut self.before, &record);
            self.at = self.at.map(|at| at.saturating_sub(1));
        }
    }

    /// Returns true if there is something to look at: a node that was entered or exited.
    pub(super) fn has_steps(&self) -> bool {
        self.steps().next().is_some()
    }

    /// Returns true if one looks at the past.
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

    /// The state at the present position.
    pub(super) fn picture(&self) -> Picture {
        let Some(at) = self.at else {
            return self.now.picture().clone();
        };
        let past = || self.records.range(..at);
        let is_key = |record: &Record<'_>| matches!(record.what, What::Snapshot(_));
        let from = past().rposition(is_key);
        let mut replay = match from {
            Some(_) => Replay::new(),
            None => self.before.clone(),
        };
        for record in past().skip(from.unwrap_or(0)) {
            follow(&mut replay, record);
        }
        replay.picture().clone()
    }

    /// The present value of a key.
    pub(super) fn key(&self, name: &str) -> Option<&Value> {
        self.now.picture().blackboard.get(name)
    }
}

fn follow(replay: &mut Replay, record: &Record<'_>) {
    // One that does not follow is of a gap, and a snapshot comes.
    _ = replay.apply(record);
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bt_core::builtin::ActionAgent;
    use bt_core::trace::{JsonLines, SharedWriter, read_lines};
    use bt_core::tree::asset::spec::{action, sequence, wait_event};
    use bt_core::{Runner, TreeAsset, TreeSet};

    use super::*;

    /// The records of an agent that counts to three.
    fn records() -> Vec<Record<'static>> {
        let count = || action("number_add").arg("n").arg(1);
        let top = sequence([count(), count(), count(), wait_event("end")]);
        let mut set = TreeSet::<ActionAgent>::new();
        set.add(TreeAsset::build("count.json", "action_agent", top));
        let trees = set.build().unwrap();
        let mut runner = Runner::new(&trees, "count.json").unwrap();
        let lines = SharedWriter::new(Vec::new());
        runner.set_tracer(Some(Box::new(JsonLines::new(lines.clone()))));
        runner.blackboard().set("n", 0);
        runner.start();
        runner.poll(&mut ActionAgent, Duration::ZERO);
        lines.with(|lines| read_lines(&lines[..]).map(|line| line.unwrap().1).collect())
    }

    /// The values of `n` at each step, from the last back to the first.
    fn back(history: &mut History) -> Vec<Value> {
        let mut all = Vec::new();
        while history.back(|_| true) {
            all.push(history.picture().blackboard["n"].clone());
        }
        all
    }

    #[test]
    fn past_is_the_same_after_its_snapshot_was_forgotten() {
        let records = records();
        let mut whole = History::default();
        let mut short = History::default();
        for record in records {
            whole.add(record.clone(), 10);
            short.add(record, 10);
            short.keep(8, usize::MAX);
        }
        assert_eq!((short.records.len(), short.bytes), (8, 80));
        assert_eq!(whole.key("n"), Some(&Value::from(3)));
        assert_eq!(short.key("n"), Some(&Value::from(3)));
        let (whole, short) = (back(&mut whole), back(&mut short));
        assert!(short.len() > 2 && whole.len() > short.len());
        assert!(short.contains(&Value::from(2)), "{short:?}");
        assert_eq!(short, whole[..short.len()]);
    }

    #[test]
    fn history_keeps_as_many_bytes_as_it_may() {
        let mut history = History::default();
        for record in records() {
            history.add(record, 100);
        }
        assert!(history.has_steps());
        history.keep(usize::MAX, 450);
        assert_eq!((history.records.len(), history.bytes), (4, 400));
        history.keep(usize::MAX, 0);
        assert!(!history.has_steps());
    }
}

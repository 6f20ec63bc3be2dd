//! The events of each node that were seen while scenarios were played.

use std::collections::BTreeMap;

use super::values::seconds;
use crate::trace::{Leave, Record, Tracer, What};

/// The events that were seen of trees: their nodes by tree and number. Those of several scenarios add up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    trees: BTreeMap<String, BTreeMap<u32, NodeSeen>>,
}

/// The events that were seen of a node.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NodeSeen {
    /// The number of times that it was entered.
    pub entered: u64,
    /// The number of times that it ended with success.
    pub successes: u64,
    /// The number of times that it ended with failure.
    pub failures: u64,
    /// The number of times that it was aborted.
    pub aborts: u64,
    /// Its guards that were evaluated, by their numbers: how often each held, and did not.
    pub guards: BTreeMap<u32, GuardSeen>,
    /// The node in words.
    words: String,
    entered_at: u64,
    ended: Option<(u64, Leave)>,
    refused: Option<(u64, String)>,
}

/// The results that were seen of a guard.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GuardSeen {
    /// The number of times that it held.
    pub held: u64,
    /// The number of times that it did not.
    pub failed: u64,
}

impl Seen {
    /// A node, if anything was seen of it.
    pub fn node(&self, tree: &str, idx: u32) -> Option<&NodeSeen> {
        self.trees.get(tree)?.get(&idx)
    }

    /// Adds what was seen in another scenario.
    pub fn add(&mut self, other: &Seen) {
        for (tree, nodes) in &other.trees {
            let all = self.trees.entry(tree.clone()).or_default();
            for (idx, node) in nodes {
                all.entry(*idx).or_default().add(node);
            }
        }
    }

    fn of(&mut self, tree: &str, idx: u32) -> &mut NodeSeen {
        if !self.trees.contains_key(tree) {
            self.trees.insert(tree.to_owned(), BTreeMap::new());
        }
        let nodes = self.trees.get_mut(tree);
        nodes.expect("it is there").entry(idx).or_default()
    }
}

impl NodeSeen {
    fn add(&mut self, other: &NodeSeen) {
        self.entered += other.entered;
        self.successes += other.successes;
        self.failures += other.failures;
        self.aborts += other.aborts;
        for (number, guard) in &other.guards {
            let own = self.guards.entry(*number).or_default();
            own.held += guard.held;
            own.failed += guard.failed;
        }
    }

    fn ended(&mut self, time: u64, how: Leave) {
        match how {
            Leave::Success => self.successes += 1,
            Leave::Failure => self.failures += 1,
            Leave::Aborted => self.aborts += 1,
        }
        self.ended = Some((time, how));
    }

    /// The last event of it, in words; none if it never began.
    pub(super) fn last(&self) -> Option<String> {
        if self.entered == 0 {
            return None;
        }
        let words = &self.words;
        let ends = self.successes + self.failures + self.aborts;
        Some(match self.ended {
            Some((time, how)) if ends >= self.entered => {
                let how = match how {
                    Leave::Success => "ended with success",
                    Leave::Failure => "ended with failure",
                    Leave::Aborted => "was aborted",
                };
                format!("{words} {how} at {}", seconds(time))
            }
            Some(_) | None => format!("{words} runs since {}", seconds(self.entered_at)),
        })
    }

    /// The guard that refused it last.
    pub(super) fn refused(&self) -> Option<String> {
        let (time, call) = self.refused.as_ref()?;
        Some(format!(
            "its guard `{call}` did not hold at {}",
            seconds(*time)
        ))
    }
}

/// A tracer that counts, and keeps the last lines.
pub(super) struct Watcher {
    pub(super) seen: Seen,
    pub(super) last: crate::trace::Ring,
    /// The number of records so far.
    pub(super) records: u64,
}

impl Tracer for Watcher {
    fn record(&mut self, record: &Record<'_>) {
        self.records += 1;
        self.last.record(record);
        let Some(place) = &record.at else { return };
        let time = record.ns;
        if matches!(record.what, What::NodeEnter) {
            let node = self.seen.of(place.tree(), place.idx());
            if node.entered == 0 {
                node.words = place.to_string();
            }
            node.entered += 1;
            node.entered_at = time;
        }
        if let What::NodeLeave { result, .. } = &record.what {
            self.seen.of(place.tree(), place.idx()).ended(time, *result);
        }
        if let What::Guard {
            call,
            not,
            number,
            own: false,
            holds,
            ..
        } = &record.what
        {
            let node = self.seen.of(place.tree(), place.idx());
            let guard = node.guards.entry(*number).or_default();
            if *holds {
                guard.held += 1;
            } else {
                guard.failed += 1;
                let not = if *not { "not " } else { "" };
                node.refused = Some((time, format!("{not}{call}")));
            }
        }
    }
}

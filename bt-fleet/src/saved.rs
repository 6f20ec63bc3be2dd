//! Saves, and logs of outboxes, read without a member.

use std::collections::BTreeMap;
use std::time::Duration;

use bt_core::{Agent, Saved};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::FleetError;
use crate::fleet::Fleet;
use crate::key::Key;
use crate::shard::{Lines, Record};
use crate::store::{Read, Stream};
use crate::wire::chain::{Image, Link};
use crate::wire::{read, unpack};

/// A shard as its last accepted save has it.
#[derive(Debug)]
pub struct SavedShard<A> {
    /// The number of its ownership, which grows with each take-over.
    pub epoch: u64,
    /// The number of the last input in it.
    pub last_input: u64,
    /// The shard's time.
    pub clock: Duration,
    /// The version of the trees.
    pub version: u64,
    /// The agents by their keys, each with its runner.
    pub agents: BTreeMap<Key, (A, Saved)>,
    /// The messages that it is made of, and their bytes.
    pub messages: (usize, usize),
}

impl<A: Agent + DeserializeOwned> Fleet<A> {
    /// Reads the saves of a shard; each answer takes at most so long. It disturbs nobody.
    ///
    /// # Errors
    /// [`FleetError::is_unanswered`]; [`FleetError::is_invalid`] for saves of a newer version, or if the owner removed
    /// old ones meanwhile: read them again.
    pub fn saved(&self, shard: u32, most: Duration) -> Result<SavedShard<A>, FleetError> {
        let subject = format!("save.{shard}");
        let last = self.last(Stream::Saves, &subject, most)?;
        let end = last.map_or(0, |last| last.seq);
        let mut image = Image::default();
        let mut size = (0, 0);
        while image.end < end {
            let request = Read {
                stream: Stream::Saves,
                subject: subject.clone(),
                after: image.end,
                most: 64,
                wait: Duration::from_secs(1),
            };
            for message in self.read(request, most)? {
                let invalid =
                    |why| FleetError::invalid(format!("the saves of shard {shard}: {why}"));
                let link: Link = unpack(&message.body).map_err(invalid)?;
                size = (size.0 + 1, size.1 + message.body.len());
                if !image.add(message.seq, link) {
                    return Err(invalid("some are missing: read them again".to_owned()));
                }
            }
        }
        let mut agents = BTreeMap::new();
        for (key, (_, blob)) in image.agents {
            let record: Record<A> = read(&blob.0).map_err(|why| {
                FleetError::invalid(format!("agent `{key}`, as it is saved: {why}"))
            })?;
            agents.insert(key, (record.agent, record.runner));
        }
        Ok(SavedShard {
            epoch: image.epoch,
            last_input: image.head.last,
            clock: Duration::from_nanos(image.head.clock),
            version: image.head.version,
            agents,
            messages: size,
        })
    }
}

/// A line that an agent wrote into a log.
#[derive(Debug, Clone, PartialEq)]
pub struct LogLine {
    /// The shard that wrote it; a shard's lines are in their order.
    pub shard: u32,
    /// The line.
    pub line: Value,
}

/// Reads a log: each line once, also if it was stored twice.
#[derive(Debug)]
pub struct LogReader<A: Agent> {
    fleet: Fleet<A>,
    subject: String,
    after: u64,
    seen: BTreeMap<u32, u64>,
}

impl<A: Agent> LogReader<A> {
    pub(crate) fn new(fleet: Fleet<A>, name: &str) -> LogReader<A> {
        LogReader {
            fleet,
            subject: format!("log.{name}"),
            after: 0,
            seen: BTreeMap::new(),
        }
    }

    /// The next lines; waits at most so long for some.
    ///
    /// # Errors
    /// [`FleetError::is_unanswered`].
    pub fn read(&mut self, most: Duration) -> Result<Vec<LogLine>, FleetError> {
        let request = Read {
            stream: Stream::Out,
            subject: self.subject.clone(),
            after: self.after,
            most: 500,
            wait: Duration::ZERO,
        };
        let mut found = Vec::new();
        for message in self.fleet.read(request, most)? {
            self.after = message.seq;
            let Ok(Lines { from, first, all }) = read(&message.body) else {
                continue;
            };
            for (number, line) in (first..).zip(all) {
                let seen = self.seen.entry(from).or_default();
                if number > *seen {
                    *seen = number;
                    found.push(LogLine { shard: from, line });
                }
            }
        }
        Ok(found)
    }
}

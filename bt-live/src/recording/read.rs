//! A recording, opened: what there was at any time.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::Duration;

use bt_core::Explanation;
use bt_core::explain::Explainer;
use bt_core::trace::{Record, Replay};

use super::{About, MAGIC, Span};
use crate::protocol::frame::Frame;
use crate::protocol::types::AgentEntry;

/// The longest chunk that is read: what is longer is no recording.
const LONGEST: u64 = 256 << 20;

/// A recording, opened.
#[derive(Debug)]
pub(crate) struct Recording {
    file: File,
    pub(crate) about: About,
    /// By their ids.
    pub(crate) agents: BTreeMap<u64, AgentEntry>,
    /// The chunks of records of each agent, in the order of time.
    chunks: BTreeMap<u64, Vec<Chunk>>,
}

#[derive(Debug, Clone, Copy)]
struct Chunk {
    span: Span,
    /// Where its message begins in the file, and how long it is.
    at: u64,
    length: u32,
}

impl Recording {
    /// Opens a file, and finds the chunks in it.
    pub(crate) fn open(path: &Path) -> io::Result<Recording> {
        let file = File::open(path)?;
        let end = file.metadata()?.len();
        let mut from = BufReader::new(&file);
        let mut magic = [0; 8];
        from.read_exact(&mut magic).map_err(|_| no_recording())?;
        if magic != *MAGIC {
            return Err(no_recording());
        }
        let (mut about, mut agents) = (None, BTreeMap::new());
        let mut chunks: BTreeMap<u64, Vec<Chunk>> = BTreeMap::new();
        let mut at = 8;
        while at < end {
            let mut head = [0; 5];
            // A crash cut the file off.
            if from.read_exact(&mut head).is_err() {
                break;
            }
            let length = u32::from_le_bytes([head[1], head[2], head[3], head[4]]);
            let next = at + 5 + u64::from(length);
            if next > end {
                break;
            }
            if u64::from(length) > LONGEST {
                return Err(no_recording());
            }
            match head[0] {
                b'M' => about = Some(json(&mut from, length)?),
                b'A' => {
                    let agent: AgentEntry = json(&mut from, length)?;
                    let id = agent.id.parse().map_err(|_| no_recording())?;
                    agents.insert(id, agent);
                }
                b'R' if length as usize >= Span::BYTES => {
                    let mut span = [0; Span::BYTES];
                    from.read_exact(&mut span)?;
                    let span = Span::read(&span);
                    let rest = length - Span::BYTES as u32;
                    from.seek_relative(i64::from(rest))?;
                    let chunk = Chunk {
                        span,
                        at: next - u64::from(rest),
                        length: rest,
                    };
                    chunks.entry(span.agent).or_default().push(chunk);
                }
                // What a later version adds.
                _ => from.seek_relative(i64::from(length))?,
            }
            at = next;
        }
        Ok(Recording {
            file,
            about: about.ok_or_else(no_recording)?,
            agents,
            chunks,
        })
    }

    /// How many records there are of an agent.
    pub(crate) fn count(&self, agent: u64) -> u64 {
        let chunks = self.chunks.get(&agent).into_iter().flatten();
        chunks.map(|chunk| u64::from(chunk.span.records)).sum()
    }

    /// The times of the first and the last record of an agent, in nanoseconds.
    pub(crate) fn times(&self, agent: u64) -> Option<(u64, u64)> {
        let chunks = self.chunks.get(&agent)?;
        Some((chunks.first()?.span.from, chunks.last()?.span.to))
    }

    /// The records of an agent from the last snapshot before a time on, up to that time.
    fn until(
        &mut self,
        agent: u64,
        at: u64,
        mut each: impl FnMut(&Record<'_>) -> Result<(), String>,
    ) -> io::Result<()> {
        let chunks = self.chunks.get(&agent).cloned().unwrap_or_default();
        let end = chunks.partition_point(|chunk| chunk.span.from <= at);
        let key = chunks[..end].iter().rposition(|chunk| chunk.span.is_key);
        for chunk in &chunks[key.unwrap_or(0)..end] {
            for record in self.read(*chunk)?.records {
                if record.ns > at {
                    return Ok(());
                }
                each(&record).map_err(io::Error::other)?;
            }
        }
        Ok(())
    }

    fn read(&mut self, chunk: Chunk) -> io::Result<Frame> {
        let mut bytes = vec![0; chunk.length as usize];
        self.file.seek(SeekFrom::Start(chunk.at))?;
        self.file.read_exact(&mut bytes)?;
        Frame::read(&bytes).map_err(io::Error::other)
    }

    /// What there was in an agent after all records up to a time.
    pub(crate) fn replay(&mut self, agent: u64, at: u64) -> io::Result<Replay> {
        let mut replay = Replay::new();
        self.until(agent, at, |record| {
            replay.apply(record).map_err(|error| error.to_string())
        })?;
        Ok(replay)
    }

    /// Why an agent waited at a time.
    pub(crate) fn explain(&mut self, agent: u64, at: u64) -> io::Result<Option<Explanation>> {
        let mut explainer = Explainer::new();
        self.until(agent, at, |record| {
            explainer.apply(record).map_err(|error| error.to_string())
        })?;
        Ok(explainer.explain_at(Duration::from_nanos(at)))
    }

    /// The messages of an agent whose records end after a time, one after the other.
    pub(crate) fn messages(&mut self, agent: u64, after: u64) -> io::Result<Vec<Frame>> {
        let chunks = self.chunks.get(&agent).cloned().unwrap_or_default();
        let later = chunks.into_iter().filter(|chunk| chunk.span.to >= after);
        later.map(|chunk| self.read(chunk)).collect()
    }
}

fn json<T: serde::de::DeserializeOwned>(from: &mut impl Read, length: u32) -> io::Result<T> {
    let mut bytes = vec![0; length as usize];
    from.read_exact(&mut bytes)?;
    Ok(serde_json::from_slice(&bytes)?)
}

fn no_recording() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        "this is no recording of a bt-live port, or one of another version",
    )
}

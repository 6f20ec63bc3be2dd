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
pub struct Recording {
    file: File,
    /// The game that was recorded.
    pub about: About,
    /// The agents by their ids.
    pub agents: BTreeMap<u64, AgentEntry>,
    /// The parts of the file that have records, by agent, in the order of time.
    parts: BTreeMap<u64, Vec<Part>>,
}

/// The place of a message of records in a recording.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    /// Its subject.
    pub span: Span,
    /// The start of its message in the file, and its length.
    at: u64,
    length: u32,
}

impl Part {
    pub(crate) fn agent(&self) -> u64 {
        self.span.agent
    }

    /// The number of its bytes.
    pub fn bytes(&self) -> usize {
        self.length as usize
    }
}

impl Recording {
    /// Opens a file, and finds the chunks in it. The records are not read.
    ///
    /// # Errors
    /// If it is no recording, or cannot be read.
    pub fn open(path: &Path) -> io::Result<Recording> {
        Recording::of(File::open(path)?)
    }

    /// The same of a file that is open already.
    ///
    /// # Errors
    /// If it is no recording, or cannot be read.
    pub fn of(file: File) -> io::Result<Recording> {
        let end = file.metadata()?.len();
        let mut from = BufReader::new(&file);
        let mut magic = [0; 8];
        from.read_exact(&mut magic).map_err(|_| no_recording())?;
        if magic != *MAGIC {
            return Err(no_recording());
        }
        let (mut about, mut agents) = (None, BTreeMap::new());
        let mut parts: BTreeMap<u64, Vec<Part>> = BTreeMap::new();
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
                    let part = Part {
                        span,
                        at: next - u64::from(rest),
                        length: rest,
                    };
                    parts.entry(span.agent).or_default().push(part);
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
            parts,
        })
    }

    /// The number of records of an agent.
    pub fn count(&self, agent: u64) -> u64 {
        let parts = self.parts.get(&agent).into_iter().flatten();
        parts.map(|part| u64::from(part.span.records)).sum()
    }

    /// The times of the first and the last record of an agent, in nanoseconds.
    pub fn times(&self, agent: u64) -> Option<(u64, u64)> {
        let parts = self.parts.get(&agent)?;
        Some((parts.first()?.span.from, parts.last()?.span.to))
    }

    /// The records of an agent from the last snapshot before a time on, up to that time.
    fn until(
        &mut self,
        agent: u64,
        at: u64,
        mut each: impl FnMut(&Record<'_>) -> Result<(), String>,
    ) -> io::Result<()> {
        let parts = self.parts.get(&agent).cloned().unwrap_or_default();
        let end = parts.partition_point(|part| part.span.from <= at);
        let key = parts[..end].iter().rposition(|part| part.span.is_key);
        for part in &parts[key.unwrap_or(0)..end] {
            for record in self.read(*part)?.records {
                if record.ns > at {
                    return Ok(());
                }
                each(&record).map_err(io::Error::other)?;
            }
        }
        Ok(())
    }

    /// The records of a part.
    pub(crate) fn read(&mut self, part: Part) -> io::Result<Frame> {
        Frame::read(&self.message(part)?).map_err(io::Error::other)
    }

    /// A part as a port sent it: [`Scan`](super::Scan) finds the records in it.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn message(&mut self, part: Part) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; part.length as usize];
        self.file.seek(SeekFrom::Start(part.at))?;
        self.file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// The state of an agent after all records up to a time.
    pub(crate) fn replay(&mut self, agent: u64, at: u64) -> io::Result<Replay> {
        let mut replay = Replay::new();
        self.until(agent, at, |record| {
            replay.apply(record).map_err(|error| error.to_string())
        })?;
        Ok(replay)
    }

    /// The reasons why an agent waited at a time.
    pub(crate) fn explain(&mut self, agent: u64, at: u64) -> io::Result<Option<Explanation>> {
        let mut explainer = Explainer::new();
        self.until(agent, at, |record| {
            explainer.apply(record).map_err(|error| error.to_string())
        })?;
        Ok(explainer.explain_at(Duration::from_nanos(at)))
    }

    /// The parts of the file that have an agent's records, one after the other.
    pub fn parts(&self, agent: u64) -> Vec<Part> {
        self.parts.get(&agent).cloned().unwrap_or_default()
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

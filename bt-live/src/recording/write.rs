//! A recording being written, on a thread of its own: a slow disk disturbs nobody.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use super::{About, MAGIC, Span};
use crate::protocol::types::AgentEntry;

enum Chunk {
    Agent(Box<AgentEntry>),
    Records(Span, Vec<u8>, Box<dyn FnOnce() + Send>),
}

/// A recording being written.
pub(crate) struct Recorder {
    chunks: Option<Sender<Chunk>>,
    writer: Option<JoinHandle<io::Result<u64>>>,
}

impl Recorder {
    /// Begins a new file.
    pub(crate) fn begin(path: &Path, about: &About) -> io::Result<Recorder> {
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        let mut file = BufWriter::new(file);
        file.write_all(MAGIC)?;
        let mut bytes = MAGIC.len() as u64;
        bytes += write(&mut file, b'M', &[&serde_json::to_vec(about)?])?;
        let (sender, chunks) = mpsc::channel();
        let writer = thread::Builder::new()
            .name("bt-live recorder".to_owned())
            .spawn(move || run(file, bytes, &chunks))?;
        Ok(Recorder {
            chunks: Some(sender),
            writer: Some(writer),
        })
    }

    /// Adds an agent, before its records.
    pub(crate) fn agent(&self, agent: AgentEntry) {
        self.add(Chunk::Agent(Box::new(agent)));
    }

    /// Adds records; `written` is called when they are.
    pub(crate) fn records(
        &self,
        span: Span,
        message: Vec<u8>,
        written: impl FnOnce() + Send + 'static,
    ) {
        self.add(Chunk::Records(span, message, Box::new(written)));
    }

    fn add(&self, chunk: Chunk) {
        if let Some(chunks) = &self.chunks {
            // One whose file cannot be written says so at its end.
            _ = chunks.send(chunk);
        }
    }

    /// Ends it; how many bytes the file has.
    pub(crate) fn end(mut self) -> io::Result<u64> {
        self.chunks.take();
        let Some(writer) = self.writer.take() else {
            return Ok(0);
        };
        let ended = writer.join();
        ended.unwrap_or_else(|_| Err(io::Error::other("the recorder panicked")))
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.chunks.take();
        if let Some(writer) = self.writer.take() {
            // Nobody asks any more how it ended.
            _ = writer.join();
        }
    }
}

fn run(mut file: BufWriter<File>, mut bytes: u64, chunks: &Receiver<Chunk>) -> io::Result<u64> {
    for chunk in chunks {
        bytes += match chunk {
            Chunk::Agent(agent) => write(&mut file, b'A', &[&serde_json::to_vec(&agent)?])?,
            Chunk::Records(span, message, written) => {
                let count = write(&mut file, b'R', &[&span.write(), &message])?;
                written();
                count
            }
        };
    }
    file.flush()?;
    Ok(bytes)
}

fn write(file: &mut impl Write, letter: u8, parts: &[&[u8]]) -> io::Result<u64> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let length = u32::try_from(length).map_err(io::Error::other)?;
    file.write_all(&[letter])?;
    file.write_all(&length.to_le_bytes())?;
    for part in parts {
        file.write_all(part)?;
    }
    Ok(5 + u64::from(length))
}

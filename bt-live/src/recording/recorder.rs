//! A recording being written, on a thread of its own: a slow disk disturbs nobody.

use std::io;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use super::{About, Span, Writer};
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
        let file = Writer::create(path, about)?;
        let (sender, chunks) = mpsc::channel();
        let writer = thread::Builder::new()
            .name("bt-live recorder".to_owned())
            .spawn(move || run(file, &chunks))?;
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

fn run(mut file: Writer, chunks: &Receiver<Chunk>) -> io::Result<u64> {
    for chunk in chunks {
        match chunk {
            Chunk::Agent(agent) => file.agent(&agent)?,
            Chunk::Records(span, message, written) => {
                file.records(span, &message)?;
                written();
            }
        }
    }
    file.end()
}

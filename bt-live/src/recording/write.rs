//! The chunks of a recording, written.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::{About, MAGIC, Span};
use crate::protocol::types::AgentEntry;

/// Writes a recording.
#[derive(Debug)]
pub struct Writer {
    file: BufWriter<File>,
    bytes: u64,
}

impl Writer {
    /// Begins a new file.
    ///
    /// # Errors
    /// If there is a file of that name, or it cannot be written.
    pub fn create(path: impl AsRef<Path>, about: &About) -> io::Result<Writer> {
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        let mut writer = Writer {
            file: BufWriter::new(file),
            bytes: MAGIC.len() as u64,
        };
        writer.file.write_all(MAGIC)?;
        writer.chunk(b'M', &[&serde_json::to_vec(about)?])?;
        Ok(writer)
    }

    /// Adds an agent, before its records. Its id is a number.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn agent(&mut self, agent: &AgentEntry) -> io::Result<()> {
        self.chunk(b'A', &[&serde_json::to_vec(agent)?])
    }

    /// Adds a message of records, as a port sends it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn records(&mut self, span: Span, message: &[u8]) -> io::Result<()> {
        self.chunk(b'R', &[&span.write(), message])
    }

    /// Hands the system what was added so far: it stays even if this program is killed.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }

    /// Ends it; how many bytes the file has.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn end(mut self) -> io::Result<u64> {
        self.file.flush()?;
        Ok(self.bytes)
    }

    fn chunk(&mut self, letter: u8, parts: &[&[u8]]) -> io::Result<()> {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        let length = u32::try_from(length).map_err(io::Error::other)?;
        self.file.write_all(&[letter])?;
        self.file.write_all(&length.to_le_bytes())?;
        for part in parts {
            self.file.write_all(part)?;
        }
        self.bytes += 5 + u64::from(length);
        Ok(())
    }
}

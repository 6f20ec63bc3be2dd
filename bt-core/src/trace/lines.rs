//! JSON lines: one record a line.

use std::io::{self, BufRead, Write};

use serde::{Deserialize, Serialize};

use super::Tracer;
use super::record::Record;

/// Writes each record as a line of JSON, as it happens.
///
/// What it writes to should be buffered. When a line cannot be written no more are, and
/// [`error`](JsonLines::error) says why.
#[derive(Debug)]
pub struct JsonLines<W> {
    to: W,
    agent: Option<Box<str>>,
    line: Vec<u8>,
    error: Option<io::Error>,
}

/// A line: the record, and whose it is.
#[derive(Serialize)]
struct Line<'l, 'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<&'l str>,
    #[serde(flatten)]
    record: &'l Record<'a>,
}

#[derive(Deserialize)]
struct ReadLine {
    #[serde(default)]
    agent: Option<String>,
    #[serde(flatten)]
    record: Record<'static>,
}

impl<W: Write> JsonLines<W> {
    /// To wherever lines go.
    pub fn new(to: W) -> JsonLines<W> {
        JsonLines {
            to,
            agent: None,
            line: Vec::new(),
            error: None,
        }
    }

    /// With the agent's name in each line, where there are more agents than one.
    pub fn of(mut self, agent: impl Into<String>) -> JsonLines<W> {
        self.agent = Some(agent.into().into());
        self
    }

    /// Why there are no more lines.
    pub fn error(&self) -> Option<&io::Error> {
        self.error.as_ref()
    }

    /// What it wrote to, with all that is buffered there.
    ///
    /// # Errors
    /// Of the last write that was tried.
    pub fn finish(mut self) -> io::Result<W> {
        match self.error {
            Some(error) => Err(error),
            None => self.to.flush().map(|()| self.to),
        }
    }

    fn write(&mut self, record: &Record<'_>) -> io::Result<()> {
        self.line.clear();
        let agent = self.agent.as_deref();
        serde_json::to_writer(&mut self.line, &Line { agent, record })?;
        self.line.push(b'\n');
        self.to.write_all(&self.line)
    }
}

impl<W: Write + Send + 'static> Tracer for JsonLines<W> {
    fn record(&mut self, record: &Record<'_>) {
        if self.error.is_none() {
            self.error = self.write(record).err();
        }
    }
}

/// Reads JSON lines: each record and the agent that it is about, if the line says so. Empty lines are
/// passed over.
///
/// # Errors
/// Of reading, and for a line that is no record: with its number.
pub fn read_lines(
    from: impl BufRead,
) -> impl Iterator<Item = io::Result<(Option<String>, Record<'static>)>> {
    let lines = from.lines().zip(1_u64..);
    lines.filter_map(|(line, number)| match line {
        Ok(line) if line.trim().is_empty() => None,
        Ok(line) => Some(read(&line).map_err(|error| {
            let kind = io::ErrorKind::InvalidData;
            io::Error::new(kind, format!("line {number}: {error}"))
        })),
        Err(error) => Some(Err(error)),
    })
}

fn read(line: &str) -> serde_json::Result<(Option<String>, Record<'static>)> {
    let ReadLine { agent, record } = serde_json::from_str(line)?;
    Ok((agent, record))
}

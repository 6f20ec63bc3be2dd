//! JSON lines: one record a line.

use std::io::{self, BufRead, Read as _, Write};

use serde::{Deserialize, Serialize};

use super::Tracer;
use super::output::Output;
use crate::trace::record::Record;

/// Writes each record as a line of JSON, as it happens.
///
/// What it writes to should be buffered. When a line cannot be written no more are, and
/// [`error`](JsonLines::error) says why.
///
/// ```
/// use bt_core::builtin::ActionAgent;
/// use bt_core::trace::{JsonLines, Replay, SharedWriter, read_lines};
/// use bt_core::tree::asset::spec::action;
/// use bt_core::{Runner, TreeAsset, TreeSet};
/// use std::time::Duration;
///
/// let mut trees = TreeSet::<ActionAgent>::new();
/// trees.add(TreeAsset::build("nap", "action_agent", action("wait_for_seconds").arg(5)));
/// let lines = SharedWriter::new(Vec::new());
/// let mut runner = Runner::new(&trees.build()?, "nap")?.tracing(JsonLines::new(lines.clone()));
/// runner.start();
/// runner.poll(&mut ActionAgent, Duration::ZERO);
///
/// // Later: `bt-meta explain-run` reads such a file, and so does a program.
/// let mut replay = Replay::new();
/// lines.with(|text| {
///     for line in read_lines(text.as_slice()) {
///         let (_agent, record) = line?;
///         replay.apply(&record)?;
///     }
///     Ok::<(), Box<dyn std::error::Error>>(())
/// })?;
/// assert_eq!(replay.picture().active.len(), 2); // the root and the wait
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct JsonLines<W> {
    to: Output<W>,
    agent: Option<Box<str>>,
    line: Vec<u8>,
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
#[serde(expecting = "a record, an object")]
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
            to: Output::new(to),
            agent: None,
            line: Vec::new(),
        }
    }

    /// With the agent's name in each line, where there are more agents than one.
    pub fn of(mut self, agent: impl Into<String>) -> JsonLines<W> {
        self.agent = Some(agent.into().into());
        self
    }

    /// The error that ended the lines.
    pub fn error(&self) -> Option<&io::Error> {
        self.to.error()
    }

    /// Returns the writer, with all that is buffered written.
    ///
    /// # Errors
    /// Of the first write that failed.
    pub fn finish(self) -> io::Result<W> {
        self.to.finish()
    }
}

impl<W: Write + Send + 'static> Tracer for JsonLines<W> {
    fn record(&mut self, record: &Record<'_>) {
        if self.to.error().is_some() {
            return;
        }
        self.line.clear();
        let agent = self.agent.as_deref();
        match serde_json::to_writer(&mut self.line, &Line { agent, record }) {
            Ok(()) => {
                self.line.push(b'\n');
                self.to.write(&self.line);
            }
            Err(error) => self.to.fail(error.into()),
        }
    }

    fn wants_explanations(&mut self) -> bool {
        true
    }
}

/// The longest line that is read: what never ends is no trace.
const LONGEST: u64 = 64 << 20;

/// Reads JSON lines: each record and the agent that it is about, if the line says so. Empty lines are
/// passed over.
///
/// # Errors
/// For a line that is no record: with its number, and the lines after it are read. For a last line that
/// is cut off, as a crash leaves it: of the kind [`UnexpectedEof`](io::ErrorKind::UnexpectedEof). Of
/// reading, and for a line that is longer than 64 MiB: that is the end.
pub fn read_lines(
    from: impl BufRead,
) -> impl Iterator<Item = io::Result<(Option<String>, Record<'static>)>> {
    Lines {
        from: Some(from),
        line: Vec::new(),
        number: 0,
    }
}

struct Lines<R> {
    /// None when there is nothing more to read.
    from: Option<R>,
    line: Vec<u8>,
    number: u64,
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = io::Result<(Option<String>, Record<'static>)>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            self.line.clear();
            self.number += 1;
            let mut from = self.from.as_mut()?.take(LONGEST + 1);
            match from.read_until(b'\n', &mut self.line) {
                Ok(0) => self.from = None,
                Ok(_) if self.line.len() as u64 > LONGEST => {
                    self.from = None;
                    let text = format!("line {} is longer than 64 MiB", self.number);
                    return Some(Err(io::Error::new(io::ErrorKind::InvalidData, text)));
                }
                Ok(_) if self.line.trim_ascii().is_empty() => {}
                Ok(_) => {
                    let (number, line) = (self.number, &self.line);
                    return Some(
                        read(line.trim_ascii_end()).map_err(|error| wrong(number, line, &error)),
                    );
                }
                Err(error) => {
                    self.from = None;
                    return Some(Err(error));
                }
            }
        }
    }
}

/// The error of a line that cannot be read. Its number is in the file, and not in the parsed text: one line.
fn wrong(number: u64, line: &[u8], error: &serde_json::Error) -> io::Error {
    if error.is_eof() && !line.ends_with(b"\n") {
        let text = format!("line {number} is cut off");
        return io::Error::new(io::ErrorKind::UnexpectedEof, text);
    }
    let (text, column) = (error.to_string(), error.column());
    let place = format!(" at line {} column {column}", error.line());
    let text = match text.strip_suffix(&place) {
        Some(text) => format!("line {number}: {text} at column {column}"),
        None => format!("line {number}: {text}"),
    };
    io::Error::new(io::ErrorKind::InvalidData, text)
}

fn read(line: &[u8]) -> serde_json::Result<(Option<String>, Record<'static>)> {
    let ReadLine { agent, record } = serde_json::from_slice(line)?;
    Ok((agent, record))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_never_ends_is_an_error() {
        let endless = io::BufReader::new(io::repeat(b'x'));
        let mut lines = read_lines(endless);
        let error = lines.next().unwrap().unwrap_err();
        assert_eq!(error.to_string(), "line 1 is longer than 64 MiB");
        assert!(lines.next().is_none());
    }
}

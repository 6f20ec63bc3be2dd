//! The reasons why an agent stood still, from its trace: for when its runner is gone.

mod agents;
mod story;

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::time::Duration;

use bt_core::explain::Explanation;
use bt_core::trace::read_lines;

use crate::error::Error;
use agents::Agents;
pub use story::Moment;
use story::Story;

/// The number of a file's bytes that are read to find its sort.
const GLANCE: u64 = 4096;

/// The advice about a file that is not a trace.
const INSTEAD: &str = "expected JSON lines, a record each, as a runner's `bt_core::trace::JsonLines` \
                       writes them, mostly to a `.jsonl` file";

/// A time in seconds, such as `12.5`; an `s` may follow.
///
/// # Errors
/// If it is none.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.trim();
    let number = number.strip_suffix('s').unwrap_or(number).trim_end();
    let seconds: Option<f64> = number.parse().ok();
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "expected seconds from 0 on, such as 12.5".to_owned())
}

/// The explanation of an agent's state, and notes about its trace.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Explained {
    /// The explanation.
    pub explanation: Explanation,
    /// The faults of the trace that are not an obstacle: its last line is cut off.
    pub warnings: Vec<String>,
}

/// Reads a trace of JSON lines, and explains how an agent of it stood at a moment. What comes after the
/// trace's end is as that left it.
///
/// # Errors
/// A failure if the file cannot be read, is no such trace or does not begin with a snapshot, if there
/// is no such agent, or more than one and none is named, and if the moment is before the trace.
pub fn run(path: &Path, agent: Option<&str>, moment: Moment) -> Result<Explained, Error> {
    let name = path.display();
    let about = |why: String| Error::failure(format!("{name}: {why}"));
    let unreadable = |error: io::Error| Error::failure(format!("cannot read {name}: {error}"));
    let mut file = File::open(path).map_err(unreadable)?;
    let mut glance = Vec::new();
    let mut first = file.by_ref().take(GLANCE);
    first.read_to_end(&mut glance).map_err(unreadable)?;
    if let Some(what) = no_trace(&glance) {
        return Err(about(format!("{what}; {INSTEAD}")));
    }
    let mut story = Story::new(moment);
    let mut agents = Agents::new(agent);
    let mut warnings = Vec::new();
    for line in read_lines(BufReader::new(glance.chain(file))) {
        let (of, record) = match line {
            Ok(line) => line,
            Err(error) => match error.kind() {
                // Whoever wrote it did not come to its end.
                io::ErrorKind::UnexpectedEof => {
                    warnings.push(format!("{name}: {error}; read up to there"));
                    break;
                }
                io::ErrorKind::InvalidData => return Err(about(format!("{error}; {INSTEAD}"))),
                _ => return Err(unreadable(error)),
            },
        };
        if agents.wants(of) {
            story.go_on(&record).map_err(about)?;
        }
    }
    let agent = agents.found().map_err(about)?;
    let mut explanation = story.end().map_err(about)?;
    explanation.agent = agent;
    Ok(Explained {
        explanation,
        warnings,
    })
}

/// The sort of a file with such a start, if it is certainly not a trace.
fn no_trace(glance: &[u8]) -> Option<&'static str> {
    let text = String::from_utf8_lossy(glance);
    let text = text.trim_start();
    if text.is_empty() && glance.len() < GLANCE as usize {
        return Some("there is no record in it");
    }
    let line = text.lines().next().unwrap_or_default();
    if text.starts_with('{') && text.contains("\"debug_cmds\"") && !line.contains("\"cmd\"") {
        return Some("it is the log for the original's debugger, which does not say what waits");
    }
    if line.starts_with('[') && is_behaviac(line) {
        return Some("it is a log for behaviac's designer, which does not say what waits");
    }
    if is_words(line) {
        return Some("it is a trace in words, for people, as `bt_core::trace::Watch` writes it");
    }
    if text.starts_with('{') && !line.contains("\"cmd\"") && text.contains("\"frames\":") {
        return Some("it is a saved agent");
    }
    if text.starts_with('[') || text.starts_with('{') && line.trim() == "{" {
        return Some("it is one JSON document");
    }
    None
}

/// Returns true if a line is one of behaviac's: `[4/23/2014 12:01:12 PM][tick]…`.
fn is_behaviac(line: &str) -> bool {
    let stamp = line[1..].split_once(']').map(|(stamp, _)| stamp);
    stamp.is_some_and(|stamp| stamp.contains('/') && stamp.ends_with('M'))
}

/// Returns true if a line is a record in words: "   12.500 s  main.json: …", maybe after the agent's name.
fn is_words(line: &str) -> bool {
    let Some((before, _)) = line.split_once(" s  ") else {
        return false;
    };
    let time = before.rsplit(' ').next().unwrap_or_default();
    !line.starts_with('{') && time.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_read_with_or_without_their_unit() {
        for text in ["12.5", "12.5 s", "12.5s", " 12.5 "] {
            assert_eq!(seconds(text), Ok(Duration::from_millis(12_500)));
        }
        for text in ["", "s", "-1", "12 min", "NaN", "inf", "1e30"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}

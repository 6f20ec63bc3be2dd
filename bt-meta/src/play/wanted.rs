//! The tree that is played, the way, and how both are written.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

/// The time between two polls of what runs in every poll.
pub const TICK: Duration = Duration::from_millis(100);

/// The pace of the time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pace {
    /// Whoever plays says when it continues.
    Step,
    /// So many seconds in one.
    Speed(f64),
    /// As fast as it can.
    Fast,
}

/// The tree that is played, and the way.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// The tree's file; those that it calls are beside it.
    pub tree: PathBuf,
    /// The agent; otherwise the one that the tree names.
    pub agent: Option<String>,
    /// The seed of the agent's random stream.
    pub seed: u64,
    /// The time at which it ends.
    pub until: Option<Duration>,
    /// The time between two polls.
    pub tick: Duration,
    /// The pace of the time.
    pub pace: Pace,
    /// True if the tree begins again when it has ended.
    pub loops: bool,
    /// Keys, and properties with an `@`, and their first values as JSON.
    pub set: Vec<String>,
    /// A file for the trace.
    pub record: Option<PathBuf>,
    /// True if tools can attach.
    pub live: bool,
}

/// `NAME=JSON`.
///
/// # Errors
/// What was expected.
pub(super) fn assignment(text: &str) -> Result<(&str, Value), String> {
    let expected =
        || format!("expected NAME=JSON, such as `@hp=100` or `place=\"gate\"`, found `{text}`");
    let (name, value) = text.split_once('=').ok_or_else(expected)?;
    let value = serde_json::from_str(value.trim()).map_err(|_| expected())?;
    match name.trim() {
        "" => Err(expected()),
        name => Ok((name, value)),
    }
}

/// A time for people.
pub(super) fn seconds(time: Duration) -> String {
    let text = format!("{:.3}", time.as_secs_f64());
    format!("{}s", text.trim_end_matches('0').trim_end_matches('.'))
}

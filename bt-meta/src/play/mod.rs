//! A tree played without its game: whoever plays it answers the calls of its agent.

mod answer;
mod asking;
mod commands;
mod console;
mod handler;
mod host;
mod session;
mod terminal;

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use crate::catalogue::Catalogue;
use crate::error::Error;
use console::Console;
pub use console::{Lines, lines_of};
use terminal::Terminal;

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

/// Plays a tree: questions and pictures go to `out`, answers and commands come from `lines`.
///
/// # Errors
/// Findings for everything that is wrong with the trees, a failure for a file that cannot be read or written.
pub fn play(
    catalogue: Catalogue,
    wanted: &Wanted,
    lines: Lines,
    out: Box<dyn Write + Send>,
) -> Result<(), Error> {
    let mut terminal = Terminal::new(catalogue, wanted, Console::new(lines, out))?;
    terminal.session.start(wanted)?;
    terminal.run(wanted);
    terminal.session.close(wanted)
}

/// A time for people.
fn seconds(time: Duration) -> String {
    let text = format!("{:.3}", time.as_secs_f64());
    format!("{}s", text.trim_end_matches('0').trim_end_matches('.'))
}

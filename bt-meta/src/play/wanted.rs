//! The tree that is played, the way, and how both are written.

use std::path::PathBuf;
use std::time::Duration;

use bt_core::TreeAsset;
use bt_live::port::Texts;
use serde_json::Value;

use crate::draw::files::Read;
use crate::error::Error;

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

/// The trees that are played, and the way.
#[derive(Debug, Clone)]
pub struct Played {
    /// The name of the tree that is started.
    pub tree: String,
    /// The agent that plays.
    pub agent: String,
    /// The texts of the tree and of those that it calls, by their names.
    pub texts: Texts,
    /// The seed of the agent's random stream.
    pub seed: u64,
    /// True if the tree begins again when it has ended.
    pub loops: bool,
    /// The time between two polls of what runs in every poll.
    pub tick: Duration,
}

impl Wanted {
    /// The trees that were read, as they are played.
    ///
    /// # Errors
    /// A finding if nobody names the agent, a failure for a file that cannot be read.
    pub(super) fn played(&self, read: &Read) -> Result<Played, Error> {
        let first = &read.trees[0];
        let agent = self.agent.as_deref().or(first.agent()).ok_or_else(|| {
            let tree = self.tree.display();
            Error::finding(format!("{tree} names no agent: write `--agent NAME`"))
        })?;
        let mut texts = Texts::new();
        for (tree, path) in read.trees.iter().zip(&read.paths) {
            let text = crate::read::text(path).map_err(|error| {
                Error::failure(format!("cannot read {}: {error}", path.display()))
            })?;
            texts.insert(tree.name().to_owned(), for_agent(tree, text, agent));
        }
        Ok(Played {
            tree: first.name().to_owned(),
            agent: agent.to_owned(),
            texts,
            seed: self.seed,
            loops: self.loops,
            tick: self.tick,
        })
    }
}

/// The text of a tree, with an agent if it names none.
pub fn for_agent(tree: &TreeAsset, text: String, agent: &str) -> String {
    match tree.agent() {
        Some(_) => text,
        None => tree.clone().with_agent(agent).to_json(),
    }
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

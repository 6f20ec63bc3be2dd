//! A running game, or a recording: what each command asks of it, and how the answer is printed.

mod breaks;
mod changes;
mod looks;
mod names;
mod record;
mod send;

use std::io::{self, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use bt_live::client::{Client, ClientError};
use bt_live::protocol::Call;
use bt_live::protocol::types::{AgentEntry, ListAgents};
use clap::ValueEnum;
use serde::Serialize;
use serde_json::Value;

use crate::error::Error;

pub(crate) use breaks::{Wanted, read};
#[cfg(feature = "mcp")]
pub(crate) use breaks::{step_of, stopped};
#[cfg(feature = "mcp")]
pub(crate) use changes::key_note;
pub(crate) use names::{Names, Of, compared, own_key};

/// A request to an agent.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Control {
    /// Start its tree, if it does not run
    Start,
    /// Abort everything
    Stop,
    /// Abort everything, clear the blackboard, and start the tree again
    Reset,
    /// Do nothing until it is resumed
    Pause,
    /// Go on after a pause
    Resume,
}

/// On what of a node an agent stops.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum On {
    /// It is entered
    Enter,
    /// It is exited, however
    Exit,
    /// It succeeds
    Success,
    /// It fails
    Failure,
    /// It is aborted
    Abort,
    /// One of its guards was evaluated
    Guard,
}

/// The forced result of a node.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Forced {
    /// It succeeds
    Success,
    /// It fails
    Failure,
    /// It is passed over
    Disabled,
}

/// A game that is attached to, or a recording.
pub(crate) struct Game {
    client: Client,
    json: bool,
}

impl Game {
    /// Attaches to a game, or opens a recording; `json`: for programs.
    pub(crate) fn attach(
        token_file: Option<&Path>,
        recording: Option<&Path>,
        json: bool,
    ) -> Result<Game, Error> {
        let client = match (token_file, recording) {
            (_, Some(recording)) => Client::open(recording),
            (Some(file), None) => Client::attach(file),
            (None, None) => Client::find(),
        };
        let client = client.map_err(|error| match recording.or(token_file) {
            Some(file) => Error::failure(format!("`{}`: {error}", file.display())),
            None => failed(error),
        })?;
        Ok(Game { client, json })
    }

    fn call<C: Call>(&mut self, params: C) -> Result<C::Result, Error> {
        self.client.call(params).map_err(failed)
    }

    /// Prints for people, or for programs.
    fn print<T: Serialize>(&self, value: &T, text: impl FnOnce() -> String) -> Result<(), Error> {
        let text = match self.json {
            true => {
                serde_json::to_string(value).map_err(|error| Error::failure(error.to_string()))?
            }
            false => text(),
        };
        if text.is_empty() {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        match writeln!(out, "{text}").and_then(|()| out.flush()) {
            // Whoever reads has read enough: nothing is left to do, and the game lets go what was stopped.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
            written => written.map_err(|error| Error::failure(format!("cannot print: {error}"))),
        }
    }

    fn id(&mut self, name: &str) -> Result<String, Error> {
        Ok(find(&mut self.client, name)?.id)
    }
}

/// The time at which something ends that begins now and takes so long; none if nobody lives to see it.
fn end_of(wait: Option<Duration>) -> Option<Instant> {
    Instant::now().checked_add(wait?)
}

/// The time that is left until then; long, if it never is.
fn left(until: Option<Instant>) -> Duration {
    let until = until.map(|until| until.saturating_duration_since(Instant::now()));
    until.unwrap_or(Duration::from_secs(3_600))
}

/// The agent of that id or name.
pub(crate) fn find(client: &mut Client, name: &str) -> Result<AgentEntry, Error> {
    let mut after = None;
    let mut names = Vec::new();
    loop {
        let asked = ListAgents {
            filter: None,
            after,
            limit: Some(1_000),
        };
        let page = client.call(asked).map_err(failed)?;
        let is_it = |agent: &&AgentEntry| {
            agent.name == name || agent.id == name || agent.name.replace('#', "-") == name
        };
        if let Some(agent) = page.agents.iter().find(is_it) {
            return Ok(agent.clone());
        }
        names.extend(page.agents.into_iter().map(|agent| agent.name));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    let hint = crate::error::did_you_mean(name, names.iter().map(String::as_str));
    let hint = hint.map(|hint| format!("; {hint}")).unwrap_or_default();
    Err(Error::failure(format!("there is no agent `{name}`{hint}")))
}

/// A refusal of the game is a finding: the way there is open.
fn failed(error: ClientError) -> Error {
    match error {
        ClientError::Refused(error) => Error::finding(error.to_string()),
        error => Error::failure(error.to_string()),
    }
}

/// `TREE:IDX`.
fn node(text: &str) -> Result<(String, u32), Error> {
    let parts = text.rsplit_once(':');
    let parts = parts.and_then(|(tree, idx)| Some((tree.to_owned(), idx.parse().ok()?)));
    parts.ok_or_else(|| {
        Error::failure(format!(
            "a node is written `TREE:IDX`, such as `hunt.json:3`; found `{text}`"
        ))
    })
}

/// JSON, or a text where it is none.
pub(crate) fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}

/// `NAME=VALUE`.
fn assignment(text: &str) -> Result<(String, Value), Error> {
    let parts = text.split_once('=').filter(|(name, _)| !name.is_empty());
    let parts = parts.map(|(name, said)| (name.to_owned(), value(said)));
    parts.ok_or_else(|| Error::failure(format!("expected `NAME=VALUE`, found `{text}`")))
}

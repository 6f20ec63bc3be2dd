//! `bt-meta explain-run`: why an agent stood still.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::print::print;
use crate::error::Error;
use crate::explain;
use crate::say::say;

#[derive(Debug, Args)]
pub(super) struct Explained {
    /// The trace
    #[arg(value_name = "TRACE")]
    trace: PathBuf,
    /// The agent, as the trace names it; not needed where that is about one only
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Time in seconds on the host's clock; the end of the trace otherwise
    #[arg(long, value_name = "SECONDS", value_parser = explain::seconds)]
    at: Option<Duration>,
    /// After which poll
    #[arg(long, value_name = "NUMBER", conflicts_with = "at")]
    poll: Option<u32>,
    /// As JSON, for programs
    #[arg(long)]
    json: bool,
}

/// Prints the explanation.
pub(super) fn run(moment: &Explained) -> Result<(), Error> {
    let when = explain::Moment {
        at: moment.at,
        poll: moment.poll,
    };
    let explain::Explained {
        explanation,
        warnings,
        ..
    } = explain::run(&moment.trace, moment.agent.as_deref(), when)?;
    for warning in &warnings {
        say("warning", warning);
    }
    if moment.json {
        let json = serde_json::to_string_pretty(&explanation);
        let json = json.map_err(|error| Error::failure(error.to_string()))?;
        print(&(json + "\n"))
    } else {
        print(&explanation.to_string())
    }
}

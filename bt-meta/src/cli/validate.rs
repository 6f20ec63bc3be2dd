//! `bt-meta validate`: what is wrong with trees.

use std::path::PathBuf;

use clap::Args;

use super::print;
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::validate;

#[derive(Debug, Args)]
#[command(next_help_heading = "What is checked")]
pub(super) struct Trees {
    /// Tree files, called by their file names; or folders, whose `.json` files are called by their paths
    /// from there
    #[arg(value_name = "FILES", required = true)]
    files: Vec<PathBuf>,
    /// The agent that runs all of them; else each is run by the agent that it names
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
}

/// Looks at them and prints what is found.
pub(super) fn run(catalogue: Catalogue, trees: &Trees, quiet: bool) -> Result<(), Error> {
    let files = validate::read(&trees.files)?;
    let found = validate::run(catalogue, trees.agent.as_deref(), &files)?;
    for warning in &found.warnings {
        eprintln!("warning: {warning}");
    }
    print(&found.listing())?;
    let report = found.verdict(files.len())?;
    if quiet { Ok(()) } else { print(&report) }
}
